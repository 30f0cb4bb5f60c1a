import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pause } from '../../../src/system/time/pause.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['of a moment', 250],
  // A timer of Node.js is at most 25 days long: a longer one is over at once.
  ['of more than 25 days', 1000 * HOUR_MS],
])('a pause %s is over after its time, and not before', async (_, ms) => {
  const over = vi.fn();
  void pause(ms, new AbortController().signal).then(over);
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it.each([250, 1000 * HOUR_MS])('a pause of %i ms is over when it is aborted', async (ms) => {
  const abort = new AbortController();
  const over = pause(ms, abort.signal);
  await vi.advanceTimersByTimeAsync(ms / 2);
  abort.abort();
  await over;
  expect(vi.getTimerCount()).toBe(0);
  await pause(ms, abort.signal);
});
