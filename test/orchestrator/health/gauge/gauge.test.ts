import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Gauge } from '../../../../src/orchestrator/health/gauge/gauge.ts';
import { limitOf, type PaceKind } from '../../../../src/orchestrator/health/gauge/pace.ts';

const gauge = (interval: number, pace: PaceKind = 'least') =>
  new Gauge({ id: 'a safe', subject: 'a', interval, pace, causes: [], description: () => 'stands' });
const at = (ms: number) => ({ watched: ms, wall: ms });

/** A gauge that moved every `gap` ms, `times` times. */
function moved(interval: number, gap: number, times: number, pace?: PaceKind): Gauge {
  const one = gauge(interval, pace);
  for (let number = 0; number <= times; number++) one.observe({ number }, at(number * gap));
  return one;
}

it('the limit with the polling delay is 5 s or three intervals', () => {
  expect(limitOf(1000)).toBeLessThan(5000);
  expect(limitOf(12_000)).toBeLessThan(36_000);
  expect(limitOf(12_000)).toBeGreaterThan(24_000);
});

it('the usual interval is learnt, and one outage does not change it', () => {
  expect(moved(2000, 6000, 3).interval).toBe(2000);
  expect(moved(2000, 6000, 8).interval).toBe(6000);
  const one = moved(2000, 2000, 10);
  one.observe({ number: 99 }, at(200_000));
  expect(one.interval).toBe(2000);
  expect(moved(2000, 6000, 8, 'fixed').interval).toBe(2000);
  expect(moved(2000, 6000, 2, 'learnt').interval).toBeGreaterThan(60_000);
});

it('repeated blocks do not count as movement', () => {
  const one = moved(1000, 1000, 10);
  for (let step = 0; step < 20; step++) one.observe({ number: 5 + (step % 6) }, at(11_000 + step * 1000));
  expect(one.stands(31_000)).toMatchObject({ since: 10_000 });
  one.observe({ number: 5, hash: '0xother' }, at(32_000));
  expect(one.stands(32_000)).toBeUndefined();
});

it('the first movement has a longer limit, also after a start', () => {
  const one = gauge(1000);
  one.observe({ number: 0 }, at(0));
  expect(one.stands(12_000)).toBeUndefined();
  expect(one.stands(20_000)).toMatchObject({ since: 0 });
  one.restart();
  expect(one.stands(20_000)).toBeUndefined();
});

it('a gauge stands still exactly from the limit until it moves, at any interval', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 60_000 }), fc.integer({ min: 5, max: 30 }), (interval, times) => {
      const one = moved(interval, interval, times);
      const last = interval * times;
      const limit = interval + limitOf(interval);
      expect(one.stands(last + limit - 1)).toBeUndefined();
      expect(one.stands(last + limit)).toMatchObject({ since: last, value: { number: times } });
      one.observe({ number: times + 1 }, at(last + limit + 1));
      expect(one.stands(last + limit + 1)).toBeUndefined();
    }),
  );
});
