import { expect, it } from 'vitest';
import { isOver } from '../../../src/nodes/challenger/claims.ts';

const CLOCK = 20;
const claim = (used: number, made: number) => ({ claimant: '0x00' as const, used, made });

// `resolveClaim` of the contract reverts while a clock has not run out.
it.each([
  ['is not over when a clock has run out to its last second', [claim(0, 100)], 120, false],
  ['is over a second after a clock has run out', [claim(0, 100)], 121, true],
  ['counts the time that a side had used before its claim', [claim(5, 100)], 116, true],
  ['is not over when one of two clocks still runs', [claim(0, 100), claim(0, 110)], 125, false],
])('a game %s', (_, claims, now, expected) => {
  expect(isOver(claims, CLOCK, now)).toBe(expected);
});
