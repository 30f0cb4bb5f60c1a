import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { Tiny } from './tiny.ts';

async function up(tiny: Tiny, spec: string, ...options: readonly string[]) {
  const started = tiny.start(['up', spec, '-d', ...options]);
  const { code } = await started.closed;
  return { code, stderr: started.stderr() };
}

it('commands of the spec run in order when the nodes agree, and the network is ready after them', async () => {
  await using tiny = new Tiny();
  const write = "require('fs').writeFileSync('said', process.env.DEVNET_NAME)";
  const program = JSON.stringify([process.execPath, '-e', write]);
  const spec = tiny.spec('deploys', { top: `after: [${program}, 'echo " $DEVNET_L2_CHAIN_ID" >> said; echo done']` });
  expect(await up(tiny, spec, '--report', 'it.json')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/after: .*after: echo .*deploys is ready/s),
  });
  expect(readFileSync(join(tiny.folder, 'said'), 'utf8')).toMatch(/^deploys \d+\n$/);
  expect(readFileSync(pathsOf(tiny.home, 'deploys').after, 'utf8')).toBe('done\n');
  const { ready, seconds } = JSON.parse(readFileSync(join(tiny.folder, 'it.json'), 'utf8')) as {
    readonly ready: boolean;
    readonly seconds: Readonly<Record<string, number>>;
  };
  expect(ready).toBe(true);
  const { parsed = 0, spawned = 0, answering = 0, agreed = 0, safe = 0 } = seconds;
  expect(0 < parsed && parsed < spawned && spawned < answering && answering <= agreed && agreed <= safe).toBe(true);
});

it('a start fails at the deadline of a stamp, which its report names', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('slow');
  expect(await up(tiny, spec, '--ready-budget', 'spawned=1ms', '--report', 'it.json')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/not ready after 0\.001 s, the budget of "spawned"/),
  });
  expect(JSON.parse(readFileSync(join(tiny.folder, 'it.json'), 'utf8'))).toMatchObject({
    ...{ ready: false, budgets: { spawned: 0.001 } },
    failure: { reason: 'not-ready' },
  });
});

it('a command that fails ends the start with its last words, and no later one runs', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('fails', { top: "after: ['echo reverted: no funds >&2; exit 7', 'touch later']" });
  expect(await up(tiny, spec)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /after \(echo reverted.*\): it ended with code 7\n.*after\.log:\n +reverted: no funds/s,
    ),
  });
  expect(existsSync(join(tiny.folder, 'later'))).toBe(false);
  expect(await tiny.json('status', 'fails')).toMatchObject({ phase: 'failed' });
});
