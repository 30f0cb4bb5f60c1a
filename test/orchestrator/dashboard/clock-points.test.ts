import { expect, it } from 'vitest';
import { nextPoints } from '../../../src/orchestrator/dashboard/clock-points.ts';
import type { ClockPoint } from '../../../src/orchestrator/dashboard/picture-type.ts';
import { pictureWith } from '../../page/pictures.ts';

const picture = (at: number, clock: number) => pictureWith({ at, clock: { at: clock, rate: 1 } });

it('a point is added when the clock has moved against that of the machine, and not by rounding', () => {
  const pictures = [picture(1000, 1000), picture(2000, 2000), picture(3000, 3900), picture(4000, 3_604_000)];
  expect(pictures.reduce<readonly ClockPoint[]>(nextPoints, [])).toEqual([
    { at: 1, ahead: 0 },
    { at: 4, ahead: 3600 },
  ]);
});

it('at most 3600 points are kept, the newest of them', () => {
  const pictures = Array.from({ length: 3700 }, (_, second) => picture(second * 1000, second * 10_000));
  const points = pictures.reduce<readonly ClockPoint[]>(nextPoints, []);
  expect([points.length, points.at(-1)?.at]).toEqual([3600, 3699]);
});
