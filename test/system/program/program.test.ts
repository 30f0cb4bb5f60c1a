import { expect, it, vi } from 'vitest';
import { EXIT, Failure } from '../../../src/system/failure.ts';
import { runUntilSignal } from '../../../src/system/program/program.ts';

const listeners = () => [
  process.listenerCount('SIGTERM'),
  process.listenerCount('SIGINT'),
  process.listenerCount('uncaughtExceptionMonitor'),
  process.stderr.listenerCount('error'),
];

it('a program leaves no listener behind, however often a program runs in one process', async () => {
  using written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const fails = () => Promise.reject(new Failure('usage', 'it cannot start', { exit: EXIT.usage }));
  expect(await runUntilSignal('program', fails)).toBe(EXIT.usage);
  const before = listeners();
  expect(await runUntilSignal('program', fails)).toBe(EXIT.usage);
  expect(await runUntilSignal('program', () => Promise.resolve(undefined))).toBe(EXIT.done);
  expect(listeners()).toEqual(before);
  expect(written).toHaveBeenCalledTimes(2);
});

it('a program reports its failure before the output of its stop, also when the stop fails', async () => {
  const lines: string[] = [];
  using written = vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const start = async () => ({
    failed: Promise.reject(new Failure('chain', 'the first cause', { exit: EXIT.usage })),
    async stop() {
      process.stderr.write('the client is closed\n');
      throw new Error('the stop failed');
    },
  });
  expect(await runUntilSignal('program', start)).toBe(EXIT.usage);
  expect(written).toHaveBeenCalled();
  expect(lines.map((line) => /the first cause|the client is closed|the stop failed/.exec(line)?.[0])).toEqual([
    'the first cause',
    'the client is closed',
    'the stop failed',
  ]);
});
