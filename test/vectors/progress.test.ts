import { afterEach, expect, it, vi } from 'vitest';
import { Progress, progressLine, type RunState } from './progress.ts';

const state: RunState = {
  files: 2310,
  done: 412,
  total: { passed: 1204, failed: 1, notApplicable: 16 },
  running: new Map(),
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it.each([
  [[], '412 of 2,310 files, 1,204 passed, 1 failed, 16 not applicable'],
  [[['a.json', 7_000]], '412 of 2,310 files, 1,204 passed, 1 failed, 16 not applicable; runs a.json (3 s)'],
  [
    [
      ['a.json', 9_999],
      ['b.json', 1_000],
      ['c.json', 8_000],
    ],
    '412 of 2,310 files, 1,204 passed, 1 failed, 16 not applicable; runs b.json (9 s) and 2 more',
  ],
] as [[string, number][], string][])('a line of progress names the longest of %j', (running, line) => {
  expect(progressLine({ ...state, running: new Map(running) }, 10_000)).toBe(line);
});

it('progress is a line every five seconds, and one at the end, when the output is no terminal', () => {
  vi.useFakeTimers();
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  const progress = new Progress(() => state);
  vi.advanceTimersByTime(4_999);
  expect(print).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(10_001);
  expect(print).toHaveBeenCalledTimes(3);
  progress.stop();
  vi.advanceTimersByTime(60_000);
  expect(print.mock.calls).toEqual(Array(4).fill([progressLine(state, 0)]));
});
