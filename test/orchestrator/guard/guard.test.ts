import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeLock } from '../../../src/orchestrator/folder/lock.ts';
import { GuardClient } from '../../../src/orchestrator/guard/client.ts';
import type { ProcessGroup } from '../../../src/system/process/group.ts';
import { identify, type ProcessIdentity } from '../../../src/system/process/identity.ts';
import { startPiped } from '../../../src/system/process/piped.ts';
import { processTable } from '../../../src/system/process/table.ts';
import { packageRoot } from '../../../src/system/program/entry.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';
import { leftovers } from '../supervisor/supervised.ts';

const PATH = process.env['PATH'] ?? '';

const GUARD = [process.execPath, join(packageRoot(), 'dist', 'guard.js')];

const sleeper = (seconds: string, env: Record<string, string>): ChildProcess =>
  spawn('/bin/sleep', [seconds], { env, stdio: 'ignore', detached: true });

/** Waits until a guard has killed a process. It takes milliseconds: a longer wait means that it lost the process. */
const expectKilled = (child: ChildProcess, what: string) =>
  expect
    .poll(() => child.signalCode, { timeout: 20_000, message: `${what} runs on after the end of the supervisor` })
    .toBe('SIGKILL');

it('the guard waits until a dead supervisor is no longer listed, because its lock is valid until then', async () => {
  using folder = temporaryHome();
  const supervisor = sleeper('1000', {});
  const left = sleeper('1000', { DEVNET_NAME: folder.home });
  const lock = join(folder.home, 'lock');
  const guard = startPiped(GUARD, { PATH });
  try {
    const owner = identify(supervisor.pid!)!;
    writeFileSync(lock, JSON.stringify({ ...owner, since: 0, role: 'supervisor' }));
    expect(takeLock(lock, 'sweeper').isTaken).toBe(false);
    guard.send({
      kind: 'watch',
      supervisor: owner,
      traces: { stamp: [`DEVNET_NAME=${folder.home}`], folder: folder.home, since: owner.started },
      lock,
    });
    let isOver = false;
    void guard.exited.then(() => {
      isOver = true;
    });
    guard.endInput();
    supervisor.kill('SIGKILL');
    await expectKilled(left, 'a process with the stamp of the devnet');
    await expect.poll(() => isOver, { timeout: 20_000, message: 'the guard runs on after its work' }).toBe(true);
    expect(existsSync(lock)).toBe(false);
  } finally {
    for (const child of [supervisor, left]) child.kill('SIGKILL');
    guard.kill();
  }
});

it('a killed guard is replaced by one that knows the same processes', async () => {
  using folder = temporaryHome();
  const left = sleeper('1000', {});
  const env = { PATH, DEVNET_HOME: folder.home };
  const source = (file: string) => JSON.stringify(join(packageRoot(), 'src', file));
  const code = `import { GuardClient } from ${source('orchestrator/guard/client.ts')};
    import { identify } from ${source('system/process/identity.ts')};
    const supervisor = identify(process.pid);
    const lock = ${JSON.stringify(join(folder.home, 'lock'))};
    const watch = { kind: 'watch', supervisor, traces: { stamp: ['NO=PROCESS'] }, lock };
    const guard = new GuardClient(${JSON.stringify(GUARD)}, ${JSON.stringify(env)});
    guard.watch(watch);
    guard.group({ id: ${left.pid}, started: identify(${left.pid}).started });`;
  const supervisor = spawn(process.execPath, ['--input-type=module', '-e', code], { env: { PATH }, stdio: 'ignore' });
  const guards = () => leftovers(folder.home);
  // If a supervisor is killed before it has written to its new guard, no process knows what to end.
  const knowing = () => guards().filter((line) => line.includes('devnet-guard'));
  try {
    await expect.poll(knowing, { interval: 5, timeout: 20_000 }).toHaveLength(1);
    const [first] = knowing();
    process.kill(Number.parseInt(first!, 10), 'SIGKILL');
    await expect
      .poll(() => knowing().filter((line) => line !== first), { interval: 5, timeout: 20_000 })
      .toHaveLength(1);
    expect(left.exitCode).toBe(null);
    supervisor.kill('SIGKILL');
    await expectKilled(left, 'the group that the first guard was told of');
    await expect.poll(guards, { timeout: 20_000 }).toEqual([]);
  } finally {
    for (const child of [supervisor, left]) child.kill('SIGKILL');
  }
});

it('the client of a guard finds a process that left the group of its leader, and none of another leader', async () => {
  const script = 'sleep 1000 & setsid sleep 1000 & wait';
  const leader = spawn('/bin/sh', ['-c', script], { stdio: 'ignore', detached: true });
  const { started } = identify(leader.pid!)!;
  const clientOf = (group: ProcessGroup): GuardClient => {
    const client = new GuardClient(GUARD, { PATH });
    client.group(group);
    return client;
  };
  const client = clientOf({ id: leader.pid!, started });
  const other = clientOf({ id: leader.pid!, started: `${started}0` });
  try {
    await expect.poll(() => client.lastOrphans(), { timeout: 20_000 }).toHaveLength(1);
    const [{ pid }] = client.lastOrphans() as [ProcessIdentity];
    expect(processTable().find(pid)).toMatchObject({ parent: leader.pid, group: pid });
    expect(other.lastOrphans()).toEqual([]);
  } finally {
    for (const { pid } of client.lastOrphans()) process.kill(pid, 'SIGKILL');
    process.kill(-leader.pid!, 'SIGKILL');
    await Promise.all([client.release(), other.release()]);
  }
});
