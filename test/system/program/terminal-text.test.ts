import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/system/program/entry.ts';
import { terminalText } from '../../../src/system/program/terminal-text.ts';

const STEERING = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

it('no text steers a terminal, and a JSON document keeps its values', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(terminalText(text)).not.toMatch(STEERING);
      expect(JSON.parse(terminalText(JSON.stringify({ text }, null, 2)))).toEqual({ text });
    }),
    { numRuns: 2000, examples: [['\u001b[31mred\u009b31m\u0007\u202etxt.exe\r']] },
  );
});

/** What writes to a terminal past `quietWriter`. */
const WRITES = new RegExp(
  [
    'process\\.(stdout|stderr)\\.write',
    'console\\.\\w+\\(',
    ...['createLogUpdate\\(', 'new ProcessOutput\\(', 'function quietWriter'],
  ].join('|'),
);

/** Files that write to a terminal what is no text from outside. */
const CONSTANT: Readonly<Record<string, string>> = {
  'bin/devnet.ts': 'names the operating system',
  'nodes/execution/commands/replay.ts': 'JSON of hashes and errors for the program that started it',
  'orchestrator/runtimes/docker/link.ts': 'one word for the program that started it',
  'bin/link.ts': 'the log of a container, which is shown line by line',
};

it('every file that writes to a terminal passes its text through terminalText', () => {
  const folder = join(packageRoot(), 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^(build|page)\//.test(file))
    .filter((file) => WRITES.test(readFileSync(join(folder, file), 'utf8')));
  expect(files).toContain('system/program/output.ts');
  const bare = files.filter((file) => !/terminalText\(/.test(readFileSync(join(folder, file), 'utf8')));
  expect(bare.toSorted()).toEqual(Object.keys(CONSTANT).toSorted());
});
