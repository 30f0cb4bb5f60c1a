import { expect, it } from 'vitest';
import { networkTime, warpsIn } from '../../../src/page/heads/clock.ts';

const points = [
  { at: 100, ahead: 0 },
  { at: 200, ahead: 3600 },
  { at: 300, ahead: 3610 },
];

it('the time of the network is that of the machine with what warps have added', () => {
  expect([50, 150, 200, 250, 400].map((at) => networkTime(points, at))).toEqual([50, 150, 3800, 3850, 4010]);
  expect(networkTime([], 50)).toBe(50);
});

it('a warp is a jump of the clock, and a higher rate is none', () => {
  expect(warpsIn(points)).toEqual([{ at: 200, seconds: 3600 }]);
  expect(warpsIn([...points, { at: 400, ahead: 10 }])).toEqual([
    { at: 200, seconds: 3600 },
    { at: 400, seconds: -3600 },
  ]);
});
