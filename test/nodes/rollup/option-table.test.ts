import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unbuilt } from '../../../src/nodes/rollup/options/unbuilt.ts';
import { ALL_OPTIONS } from '../../../src/nodes/rollup/options.ts';
import type { OptionSpec } from '../../../src/system/options.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const FILE = join(root, 'docs', 'rollup-node-options.md');
const specs: readonly OptionSpec[] = Object.values(ALL_OPTIONS);
const refused = new Map(Object.values(unbuilt).map(({ name, reason }) => [name, reason]));

/** The columns of a row that the option itself says. */
function columnsOf(spec: OptionSpec): string[] {
  const fallback = spec.defaultText ?? (Array.isArray(spec.default) ? spec.default.join(',') : spec.default);
  const reason = refused.get(spec.name);
  return [
    `\`${spec.name}\``,
    `\`${spec.env ?? ''}\``,
    fallback === undefined || fallback === '' ? 'none' : `\`${fallback}\``,
    (reason === undefined ? spec.help : `refused at any other value: ${reason}`).replaceAll('|', '\\|'),
  ];
}

/** Rows of the table in the documentation, cell by cell. */
const rows = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the table of the rollup node options', () => {
  it('has every option with its environment, default and effect, in order, and no other', () => {
    expect(rows.map((row) => row.slice(0, 4))).toEqual(
      specs.map(columnsOf).sort(([left = ''], [right = '']) => (left < right ? -1 : 1)),
    );
  });

  it('names tests that are there and that give the option', () => {
    for (const [name = '', env = '', , , test = ''] of rows) {
      if (test === 'none yet') continue;
      const path = join(root, 'test', test.replaceAll('`', ''));
      expect(existsSync(path), path).toBe(true);
      const text = readFileSync(path, 'utf8');
      const plain = (cell: string) => cell.replaceAll('`', '');
      const isGiven =
        text.includes(`--${plain(name)}`) ||
        text.includes(`_${plain(env)}`) ||
        text.includes('Object.values(unbuilt)') ||
        text.includes('`--${override}');
      expect(isGiven, `${test} gives ${name}`).toBe(true);
    }
  });
});
