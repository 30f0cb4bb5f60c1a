import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { portAnswers } from '../../../src/system/net/ports.ts';
import { packageRoot } from '../../../src/system/program/entry.ts';
import { quietEnvironment } from '../../quiet-environment.ts';
import { freePort } from '../free-port.ts';

let folder: string;
let started: number | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-lifeline-'));
});
afterEach(() => {
  if (started !== undefined && runs(started)) process.kill(started, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

const SOURCE = resolve(import.meta.dirname, '..', '..', '..', 'src', 'system', 'process', 'process.ts');

/**
 * Starts a program of the package from a process that can be killed.
 * Resolves with the program's pid.
 */
async function orphaned(lifeline: boolean, port: number): Promise<{ readonly pid: number; kill(): Promise<void> }> {
  const argv = [
    process.execPath,
    join(packageRoot(), 'dist', 'l1-beacon.js'),
    '--l1=http://127.0.0.1:1',
    '--l1.chain-id=900',
    '--genesis-time=1',
    '--http.addr=127.0.0.1',
    `--http.port=${port}`,
    `--datadir=${folder}`,
  ];
  const launch = { argv, cwd: folder, env: {}, log: join(folder, 'log'), lifeline };
  const code = `import { startProcess } from ${JSON.stringify(SOURCE)};
    const { pid } = await startProcess(${JSON.stringify(launch)});
    console.log(pid);
    setInterval(() => undefined, 1e6);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: quietEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((done) => parent.stdout.once('data', (text) => done(Number(text))));
  started = pid;
  const exit = new Promise<void>((done) => parent.once('exit', () => done()));
  return {
    pid,
    async kill() {
      parent.kill('SIGKILL');
      await exit;
    },
  };
}

function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

it('a program ends itself when the process that holds its lifeline is killed, also while it is starting', async () => {
  const { pid, kill } = await orphaned(true, await freePort());
  await kill();
  await vi.waitFor(() => expect(runs(pid)).toBe(false), { timeout: 120_000, interval: 20 });
  expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('the supervisor that started this program is gone');
});

it('a program that was started by hand runs on', async () => {
  const port = await freePort();
  const { pid, kill } = await orphaned(false, port);
  await kill();
  await vi.waitFor(async () => expect(await portAnswers('127.0.0.1', port, 1000)).toBe(true), { timeout: 120_000 });
  expect(runs(pid)).toBe(true);
});
