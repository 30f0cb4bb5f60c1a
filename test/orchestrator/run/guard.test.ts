import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeLock } from '../../../src/orchestrator/run/lock.ts';
import { packageRoot } from '../../../src/system/entry.ts';
import { identify } from '../../../src/system/process-identity.ts';
import { startPiped } from '../../../src/system/process-piped.ts';
import { temporaryHome } from './fixture-plan.ts';

const PATH = process.env['PATH'] ?? '';

const sleeper = (seconds: string, env: Record<string, string>): ChildProcess =>
  spawn('/bin/sleep', [seconds], { env, stdio: 'ignore', detached: true });

it('a supervisor that is still listed when its pipe breaks is waited for: its lock is good until then', async () => {
  using folder = temporaryHome();
  const supervisor = sleeper('0.5', {});
  const left = sleeper('1000', { DEVNET_NAME: folder.home });
  const lock = join(folder.home, 'lock');
  const guard = startPiped([process.execPath, join(packageRoot(), 'dist', 'guard.js')], { PATH });
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
