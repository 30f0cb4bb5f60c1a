import fc from 'fast-check';
import { expect, it } from 'vitest';
import { restartPolicy } from '../../../src/orchestrator/processes/restart-policy.ts';

it('the restart delay doubles from 0.2 s, and gives up after five ends within 30 s', () => {
  const policy = restartPolicy();
  expect([0, 1, 2, 3, 4, 5].map((second) => policy.next(second * 1000))).toEqual([
    200,
    400,
    800,
    1600,
    3200,
    undefined,
  ]);
});

it('the restart delay begins anew after a quiet half minute', () => {
  const policy = restartPolicy();
  policy.next(0);
  policy.next(1000);
  expect(policy.next(40_000)).toBe(200);
});

it('the restart delay is never longer than 10 s', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20_000 })), (gaps) => {
      const policy = restartPolicy();
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        expect(policy.next(now) ?? 0).toBeLessThanOrEqual(10_000);
      }
    }),
  );
});
