import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoff } from '../../../src/orchestrator/run/backoff.ts';

it('doubles from 0.2 s, and gives up after five ends within 30 s', () => {
  const pauses = backoff();
  expect([0, 1, 2, 3, 4, 5].map((second) => pauses.next(second * 1000))).toEqual([
    200,
    400,
    800,
    1600,
    3200,
    undefined,
  ]);
});

it('begins anew after a quiet half minute', () => {
  const pauses = backoff();
  pauses.next(0);
  pauses.next(1000);
  expect(pauses.next(40_000)).toBe(200);
});

it('never waits longer than 10 s', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20_000 })), (gaps) => {
      const pauses = backoff();
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        expect(pauses.next(now) ?? 0).toBeLessThanOrEqual(10_000);
      }
    }),
  );
});
