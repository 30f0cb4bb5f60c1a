import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeLock } from '../../../src/orchestrator/run/lock.ts';
import { waitingGuard } from '../../../src/orchestrator/run/waiting-guard.ts';
import { packageRoot } from '../../../src/system/entry.ts';
import { identify } from '../../../src/system/process-identity.ts';
import { startPiped } from '../../../src/system/process-piped.ts';
import { traced } from '../../../src/system/process-sweep.ts';
import { processTable } from '../../../src/system/process-table.ts';
import { temporaryHome } from './fixture-plan.ts';

const PATH = process.env['PATH'] ?? '';

const GUARD = [process.execPath, join(packageRoot(), 'dist', 'guard.js')];

const sleeper = (seconds: string, env: Record<string, string>): ChildProcess =>
  spawn('/bin/sleep', [seconds], { env, stdio: 'ignore', detached: true });

it('a supervisor that is still listed when its pipe breaks is waited for: its lock is good until then', async () => {
  using folder = temporaryHome();
  const supervisor = sleeper('0.5', {});
  const left = sleeper('1000', { DEVNET_NAME: folder.home });
  const lock = join(folder.home, 'lock');
  const guard = startPiped(GUARD, { PATH });
  try {
    const owner = identify(supervisor.pid!)!;
    writeFileSync(lock, JSON.stringify({ ...owner, since: 0, role: 'supervisor' }));
    expect(takeLock(lock, 'sweeper').taken).toBe(false);
    guard.send({
      kind: 'watch',
      supervisor: owner,
      traces: { stamp: [`DEVNET_NAME=${folder.home}`], folder: folder.home, since: owner.started },
      lock,
    });
    const gone = new Promise((done) => left.on('exit', (_, signal) => done(signal)));
    guard.endInput();
    expect(await gone).toBe('SIGKILL');
    await guard.exited;
    expect(existsSync(lock)).toBe(false);
  } finally {
    for (const child of [supervisor, left]) child.kill('SIGKILL');
    guard.kill();
  }
});

it('a shell that waits in its place keeps all lines as they are, and becomes the program that gets them when there are no more', async () => {
  const echo = [process.execPath, '-e', "process.stdin.pipe(process.stdout); console.log(process.pid, 'has')"];
  const waiting = startPiped(waitingGuard(echo), { PATH });
  let said = '';
  waiting.output.on('data', (part) => {
    said += part;
  });
  const messages = [
    { path: '/a b/$HOME/`date`/$(date)/\\n\\\\/"quotes"/\'single\'/END' },
    { path: 'END' },
    { text: ' é \t\u2028 ' },
    ...Array.from({ length: 2000 }, (_, id) => ({ kind: 'group', group: { id, started: String(id * 7) } })),
  ];
  for (const message of messages) waiting.send(message);
  process.kill(waiting.pid, 'SIGTERM');
  process.kill(waiting.pid, 'SIGINT');
  process.kill(waiting.pid, 'SIGHUP');
  waiting.endInput();
  await waiting.exited;
  const [first, ...lines] = said.trim().split('\n');
  expect(first).toBe(`${waiting.pid} has`);
  expect(lines.map((line) => JSON.parse(line))).toEqual(messages);
});

it('a guard is relieved once the network had time to start, and the one that comes knows all', async () => {
  using folder = temporaryHome();
  const left = sleeper('1000', {});
  const env = { PATH, DEVNET_GUARDED: folder.home };
  const source = (file: string) => JSON.stringify(join(packageRoot(), 'src', file));
  const code = `import { startGuard } from ${source('orchestrator/run/guard-link.ts')};
    import { identify } from ${source('system/process-identity.ts')};
    const supervisor = identify(process.pid);
    const watch = { kind: 'watch', supervisor, traces: { stamp: ['NO=BODY'] }, lock: ${JSON.stringify(join(folder.home, 'lock'))} };
    const link = startGuard(${JSON.stringify(GUARD)}, ${JSON.stringify(env)}, 1000);
    link.watch(watch);
    link.group({ id: ${left.pid}, started: identify(${left.pid}).started });`;
  const supervisor = spawn(process.execPath, ['--input-type=module', '-e', code], { env: { PATH }, stdio: 'ignore' });
  const gone = new Promise((done) => left.on('exit', (_, signal) => done(signal)));
  const guards = () =>
    traced({ stamp: [`DEVNET_GUARDED=${folder.home}`], known: [] }).map(({ pid }) =>
      processTable().command(pid)?.replace(/ .*/s, ''),
    );
  try {
    await expect.poll(guards, { interval: 5 }).toEqual(['/bin/sh']);
    await expect.poll(guards, { interval: 5 }).toEqual(['devnet-guard']);
    expect(left.exitCode).toBe(null);
    supervisor.kill('SIGKILL');
    expect(await gone).toBe('SIGKILL');
    await expect.poll(guards).toEqual([]);
  } finally {
    for (const child of [supervisor, left]) child.kill('SIGKILL');
  }
});
