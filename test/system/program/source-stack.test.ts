import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/system/program/entry.ts';
import { sourceStack } from '../../../src/system/program/source-stack.ts';

it.each([
  ['devnet.cjs', 'src/orchestrator/cli/overview.ts', '--name NAME before or after a command names its devnet'],
  ['l1-beacon.cjs', 'src/nodes/beacon/main.ts', 'Drives anvil slot by slot'],
])('a stack shows a place in %s as one in %s', (program, source, text) => {
  const bundle = join(packageRoot(), 'dist', 'programs', program);
  const lines = readFileSync(bundle, 'utf8').split('\n');
  const line = lines.findIndex((one) => one.includes(text));
  const place = `${bundle}:${line + 1}:${lines[line]!.indexOf(text) + 1}`;
  const error = new Error('out of order');
  error.stack = `Error: out of order\n    at run (${place})\n    at node:internal/main:1:2\n    at /elsewhere/a.js:3:4`;
  const stack = sourceStack(error);
  const [, at] = new RegExp(`\\n {4}at run \\(${source}:(\\d+):\\d+\\)\\n`).exec(stack) ?? [];
  const near = readFileSync(join(packageRoot(), source), 'utf8')
    .split('\n')
    .slice(Number(at) - 4, Number(at) + 3);
  expect(near.join('\n'), stack).toContain(text);
  expect(stack).toContain('    at node:internal/main:1:2\n    at /elsewhere/a.js:3:4');
});

it('a stack stays as it is without a map, and text that is no stack does, too', () => {
  const error = new Error('x');
  error.stack = 'Error\n    at /nowhere/dist/programs/devnet.cjs:1:2';
  expect(sourceStack(error)).toBe(error.stack);
});
