import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { awaitLock, lockOwner, releaseLock, takeLock } from '../../../src/orchestrator/folder/lock.ts';
import { quietEnvironment } from '../../quiet-environment.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

const lockModule = resolve(import.meta.dirname, '../../../src/orchestrator/folder/lock.ts');

it.each([
  { before: 'no lock', stale: false },
  { before: 'the lock of a process that is gone', stale: true },
])('exactly one of 24 concurrent processes takes the lock: $before', async ({ stale }) => {
  using folder = temporaryHome();
  const path = join(folder.home, 'lock');
  const go = join(folder.home, 'go');
  if (stale) writeFileSync(path, JSON.stringify({ pid: 999_999, started: '1', boot: 'x', since: 0 }));
  const script = `
    import { existsSync } from 'node:fs';
    const { takeLock } = await import(${JSON.stringify(lockModule)});
    process.stdout.write('r');
    while (!existsSync(${JSON.stringify(go)})) await new Promise((next) => setTimeout(next, 1));
    process.stdout.write(takeLock(${JSON.stringify(path)}, 'supervisor').isTaken ? 'T' : 'F');
    process.stdin.resume().on('end', () => process.exit());`;
  const wanting = Array.from({ length: 24 }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: quietEnvironment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    return { child, text: () => output };
  });
  await expect.poll(() => wanting.map(({ text }) => text()).join(''), { timeout: 50_000 }).toBe('r'.repeat(24));
  writeFileSync(go, '');
  await expect.poll(() => wanting.every(({ text }) => text().length === 2)).toBe(true);
  const won = wanting.filter(({ text }) => text() === 'rT');
  expect(won).toHaveLength(1);
  expect(lockOwner(path)?.pid).toBe(won[0]?.child.pid);
  const exits = wanting.map(({ child }) => new Promise((done) => child.on('close', done)));
  for (const { child } of wanting) child.stdin.end();
  await Promise.all(exits);
});

it('only its owner releases a lock, which holds its start time', () => {
  using folder = temporaryHome();
  const path = join(folder.home, 'deep', 'lock');
  expect(takeLock(path, 'supervisor')).toEqual({ isTaken: true });
  expect(takeLock(path, 'supervisor')).toMatchObject({ isTaken: false, owner: { pid: process.pid } });
  releaseLock(path);
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, JSON.stringify({ pid: 1, started: '0', boot: 'x' }));
  releaseLock(path);
  expect(existsSync(path)).toBe(true);
});

it('a lock waits for a sweeper, not for a supervisor', async () => {
  using folder = temporaryHome();
  const path = join(folder.home, 'lock');
  takeLock(path, 'sweeper');
  const waiting = awaitLock(path, 'supervisor');
  releaseLock(path);
  expect(await waiting).toEqual({ isTaken: true });
  expect(await awaitLock(path, 'supervisor')).toMatchObject({ isTaken: false, owner: { role: 'supervisor' } });
});

const GONE = JSON.stringify({ pid: 999_999, started: '1', boot: 'x', since: 0 });

it('a stale lock is removed only by the holder of the second lock beside it', () => {
  using folder = temporaryHome();
  const path = join(folder.home, 'lock');
  takeLock(`${path}.break`, 'sweeper');
  writeFileSync(path, GONE);
  expect(takeLock(path, 'supervisor')).toMatchObject({ isTaken: false, owner: { pid: process.pid, role: 'sweeper' } });
  expect(readFileSync(path, 'utf8')).toBe(GONE);
  writeFileSync(`${path}.break`, GONE);
  expect(takeLock(path, 'supervisor')).toEqual({ isTaken: true });
  expect(existsSync(`${path}.break`)).toBe(false);
});

it('a lock waits at most 1000 pauses for a sweeper', async () => {
  using folder = temporaryHome();
  const path = join(folder.home, 'lock');
  takeLock(path, 'sweeper');
  let pauses = 0;
  const pause = async () => void pauses++;
  expect(await awaitLock(path, 'supervisor', pause)).toMatchObject({ isTaken: false, owner: { role: 'sweeper' } });
  expect(pauses).toBe(1000);
});

it('a lock takes over a truncated lock', () => {
  using folder = temporaryHome();
  const path = join(folder.home, 'lock');
  writeFileSync(path, '{"pid":12');
  expect(takeLock(path, 'supervisor')).toEqual({ isTaken: true });
});
