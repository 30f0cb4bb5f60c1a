import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareCrypto } from '../../../src/nodes/execution/evm/crypto.ts';
import { Tally } from './tally.ts';

const folder = process.env['VECTORS'];
/** Timeout (ms) of one file. A case with 6 Ggas runs for an hour on a busy machine. */
const SUITE_TIMEOUT_MS = 6 * 3_600_000;

/** Folders of consensus tests, as execution-spec-tests and ethereum/tests name them. */
const SUITE = /(?:^|\/)((?:blockchain_tests\w*|BlockchainTests)(?:\/[^/]+)?)\//;

/** Declares one test for each file whose cases have the key. The files run one after another. */
export function consensusSuites<Fixture>(name: string, key: string, run: (fixture: Fixture) => Promise<void>): void {
  const names = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((path) => path.endsWith('.json') && SUITE.test(path) && !path.includes('.meta/')).sort();
  const tally = new Tally();
  describe.skipIf(files.length === 0)(name, () => {
    beforeAll(prepareCrypto);
    afterAll(() => {
      for (const line of tally.lines()) console.log(line);
    });
    test.each(files)('%s', { timeout: SUITE_TIMEOUT_MS }, async (file) => {
      const suite = `${name}, ${SUITE.exec(file)![1]}`;
      const problems: string[] = [];
      for (const [title, fixture] of casesOf(join(folder!, file))) {
        if (typeof fixture !== 'object' || fixture === null || !(key in fixture)) continue;
        const problem = await tally.run(suite, () => run(fixture as Fixture));
        if (problem !== undefined) problems.push(`${title}: ${problem}`);
      }
      expect(problems.join('\n')).toBe('');
    });
  });
}

function casesOf(path: string): [string, unknown][] {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof content === 'object' && content !== null ? Object.entries(content) : [];
}
