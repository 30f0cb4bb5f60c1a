import { type ChildProcess, spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { threadTimes } from '../../../src/system/process/thread-times.ts';
import { hasProc } from '../../../src/system/program/platform.ts';

function node(script: string): ChildProcess & Disposable {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  return Object.assign(child, { [Symbol.dispose]: () => void child.kill('SIGKILL') });
}

const ran = ({ pid = 0 }: ChildProcess) => [...threadTimes(pid).values()].reduce((sum, time) => sum + time.ran, 0);

it.skipIf(!hasProc())('thread times count every thread, and nothing of a stopped process', async () => {
  using inWorker = node('new (require("node:worker_threads").Worker)("for (;;);", { eval: true });');
  using stopped = node('for (;;);');
  await expect.poll(() => ran(stopped)).toBeGreaterThan(50);
  stopped.kill('SIGSTOP');
  const before = { stopped: ran(stopped), inWorker: ran(inWorker) };
  await expect.poll(() => ran(inWorker) - before.inWorker).toBeGreaterThan(300);
  expect(ran(stopped) - before.stopped).toBeLessThan(50);
});

it('thread times are undefined for a process that is gone', async () => {
  using child = node('');
  await new Promise((done) => child.once('exit', done));
  expect(threadTimes(child.pid ?? 0).size).toBe(0);
});
