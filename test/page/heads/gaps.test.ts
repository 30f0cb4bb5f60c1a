import { expect, it } from 'vitest';
import { withGaps } from '../../../src/page/heads/gaps.ts';

it('a pause between samples becomes an empty sample, which no line crosses', () => {
  expect(
    withGaps([
      [10, 1, 2],
      [15, 2, 3],
      [60, 9, 9],
      [61, 10, 9],
    ]),
  ).toEqual([
    [10, 1, 2],
    [15, 2, 3],
    [16, null, null],
    [60, 9, 9],
    [61, 10, 9],
  ]);
  expect(withGaps([])).toEqual([]);
});
