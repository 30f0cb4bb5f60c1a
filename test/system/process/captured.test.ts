import { expect, it } from 'vitest';
import { runCaptured } from '../../../src/system/process/captured.ts';
import { signalProcess } from '../../../src/system/process/group.ts';
import { outputOf } from '../../../src/system/process/run-program.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const run = (script: string, timeoutMs = 60_000, maxBytes?: number) =>
  runCaptured(['sh', '-c', script], { env, cwd: '/', timeoutMs, ...(maxBytes === undefined ? {} : { maxBytes }) });

/** Starts a process that leaves the session of its command and keeps its output open, and prints its number. */
const DAEMON = 'setsid sleep 300 & echo $!';

function endDaemon(stdout: string): void {
  expect(signalProcess(Number(stdout.split('\n')[0]), 'SIGKILL')).toBe(true);
}

it('a command is over when it exits, also if a process that it left holds its output', async () => {
  const { stdout, ...rest } = await run(`${DAEMON}; echo end; exit 3`);
  endDaemon(stdout);
  expect(stdout).toMatch(/^\d+\nend\n$/);
  expect(rest).toEqual({ code: 3, stderr: '', late: false, large: false });
});

it('a command ends at its timeout when a process outside its group holds its output', async () => {
  const { stdout, late } = await run(`${DAEMON}; sleep 300`, 500);
  endDaemon(stdout);
  expect(late).toBe(true);
});

it('a command that prints without end is ended, and the beginning of its output is kept', async () => {
  const { stdout, large, code } = await run('yes', 60_000, 1000);
  expect({ length: stdout.length, large, code }).toEqual({ length: 1000, large: true, code: 137 });
});

it('a program is asked for its output until it exits, not until its output ends', async () => {
  const output = await outputOf(['sh', '-c', DAEMON], { cwd: '/', env, timeoutMs: 60_000, maxBytes: 1000 });
  endDaemon(output ?? '');
});

it('the output of a program that does not exist is unknown', async () => {
  expect(await outputOf(['/nowhere/at-all'], { cwd: '/', env, timeoutMs: 1000, maxBytes: 1000 })).toBeUndefined();
});
