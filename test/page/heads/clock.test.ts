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

it('a warp is a move of the clock, in however many parts it is seen', () => {
  const parts = [400, 401, 403].map((at, index) => ({ at, ahead: 3610 + 20 * (index + 1) }));
  expect(warpsIn([...points, ...parts, { at: 500, ahead: 10 }])).toEqual([
    { at: 200, seconds: 3600 },
    { at: 300, seconds: 10 },
    { at: 400, seconds: 60 },
    { at: 500, seconds: -3660 },
  ]);
});

it('a clock that is a little faster has no warp', () => {
  const faster = Array.from({ length: 60 }, (_, second) => ({ at: second, ahead: second }));
  expect(warpsIn(faster)).toEqual([]);
});
