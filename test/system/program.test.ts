import { expect, it, vi } from 'vitest';
import { EXIT, Failure } from '../../src/system/failure.ts';
import { runUntilSignal } from '../../src/system/program.ts';

const listeners = () => [
  process.listenerCount('SIGTERM'),
  process.listenerCount('SIGINT'),
  process.listenerCount('uncaughtExceptionMonitor'),
  process.stderr.listenerCount('error'),
];

it('leaves no listener behind, however often a program runs in one process', async () => {
  using written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const fails = () => Promise.reject(new Failure('usage', 'it cannot start', { exit: EXIT.usage }));
  expect(await runUntilSignal('program', fails)).toBe(EXIT.usage);
  const before = listeners();
  expect(await runUntilSignal('program', fails)).toBe(EXIT.usage);
  expect(await runUntilSignal('program', () => Promise.resolve(undefined))).toBe(EXIT.done);
  expect(listeners()).toEqual(before);
  expect(written).toHaveBeenCalledTimes(2);
});
