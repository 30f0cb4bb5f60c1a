import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../nodes/beacon/anvil.ts';
import { root } from '../../orchestrator/package.ts';

const PROGRAMS = [
  ...['batcher', 'devnet', 'execution-client', 'guard', 'l1-beacon'],
  ...['link', 'proposer', 'rollup-node', 'supervisor'],
];

const FAULTS = {
  'an error that no code catches': `throw new Error('by the test')`,
  'a rejection that no code handles': `Promise.reject(new Error('by the test'))`,
};

/** Raises the fault once the program has begun. Until then it does not end, as on a wrong command line. */
const hookOf = (fault: string) => `
  const { exit } = process;
  process.exit = () => undefined;
  setTimeout(() => { process.exit = exit; ${fault}; }, 1);
`;

describe.each(Object.entries(FAULTS))('%s', (_, fault) => {
  it.each(PROGRAMS)('ends %s with one line and without the text of the bundle', (name) => {
    const cwd = temporaryFolder();
    const hook = join(cwd, 'fault.cjs');
    writeFileSync(hook, hookOf(fault));
    const { status, stderr } = spawnSync(process.execPath, ['--require', hook, join(root, 'dist', `${name}.js`)], {
      encoding: 'utf8',
      // l1-beacon without options keeps its data in its current folder.
      cwd,
      // Two pipes to the starter, as the supervisor and the guard have them.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`${name}: unexpected error: by the test`);
    expect(stderr).not.toMatch(/\^$|Node\.js v|node:internal/m);
    expect(status).toBe(1);
  });
});
