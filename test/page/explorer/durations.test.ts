import { expect, it } from 'vitest';
import { barOf, milliseconds } from '../../../src/page/explorer/durations.ts';

it.each([
  [0, '0.00 ms'],
  [0.354, '0.35 ms'],
  [21.46, '21.5 ms'],
  [480.4, '480 ms'],
  [2023.9, '2.02 s'],
])('a duration of %d ms is written as %s', (ms, text) => {
  expect(milliseconds(ms)).toBe(text);
});

it('a bar lies within the trace, and a moment is wide enough to be seen', () => {
  expect(barOf({ start: 500, ms: 250 }, 1000)).toEqual({ left: 50, width: 25 });
  expect(barOf({ start: 1000, ms: 0 }, 1000)).toEqual({ left: 99.6, width: 0.4 });
  expect(barOf({ start: 0, ms: 0 }, 0)).toEqual({ left: 0, width: 0.4 });
});
