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

it('a gauge remembers 64 positions: an older one counts as a movement again', () => {
  const [far, near] = [moved(1000, 1000, 64), moved(1000, 1000, 63)];
  for (const one of [far, near]) one.observe({ number: 0 }, at(70_000));
  expect(far.overdue(70_000)).toBe(0);
  expect(near.overdue(70_000)).toBe(70_000 - 63_000 - 1000);
});

it('a gauge that has nothing to move to does not stand still, and its value is the last one', () => {
  const one = moved(1000, 1000, 10);
  one.observe({ number: 10, isHeld: true }, at(30_000));
  expect(one.stands(31_000)).toBeUndefined();
  one.observe({ number: 10, time: 7 }, at(31_000));
  expect(one.value).toEqual({ number: 10, time: 7 });
  expect(one.stands(60_000)).toEqual({ since: 30_000, value: { number: 10, time: 7 } });
});

it('a gauge without a value stands nowhere and is not overdue', () => {
  const one = gauge(1000);
  expect([one.value, one.stands(1e9), one.overdue(1e9)]).toEqual([undefined, undefined, 0]);
});

it('the time until the first movement is not learnt', () => {
  const one = gauge(1000);
  one.observe({ number: 0 }, at(0));
  for (let number = 1; number <= 5; number++) one.observe({ number }, at(60_000 + number * 2000));
  expect(one.interval).toBe(2000);
  const other = gauge(1000);
  for (let number = 0; number <= 4; number++) other.observe({ number }, at(number * 2000));
  expect(other.interval).toBe(1000);
});

it('a gauge is overdue from its interval on, later by the time without an answer, at most 10 s', () => {
  const one = moved(1000, 1000, 10, 'fixed');
  expect([10_999, 11_000, 11_001].map((watched) => one.overdue(watched))).toEqual([0, 0, 1]);
  one.hold(300);
  one.hold(400);
  expect(one.overdue(12_000)).toBe(300);
  one.hold(30_000);
  expect(one.overdue(22_000)).toBe(1000);
  one.observe({ number: 11 }, at(22_000));
  expect(one.overdue(24_000)).toBe(1000);
});

it('a gauge forgets its positions, its movement and the held time at a restart', () => {
  const one = moved(1000, 1000, 10, 'fixed');
  one.hold(5000);
  one.restart();
  expect(one.overdue(1e9)).toBe(0);
  one.observe({ number: 8 }, at(20_000));
  expect(one.overdue(22_000)).toBe(1000);
  // The first movement has 10 s more.
  expect(one.stands(20_000 + 1000 + 3500 + 9999)).toBeUndefined();
  expect(one.stands(20_000 + 1000 + 3500 + 10_000)).toMatchObject({ since: 20_000 });
  one.observe({ number: 9 }, at(40_000));
  expect(one.overdue(42_000)).toBe(1000);
});

it('an answer of a gauge that has nothing to move to is no movement whose interval is learnt', () => {
  const one = gauge(1000);
  for (let answer = 0; answer <= 6; answer++) one.observe({ number: 0, isHeld: true }, at(answer * 9000));
  expect(one.interval).toBe(1000);
  // Its first movement is still to come.
  expect(one.stands(54_000 + 1000 + 3500 + 9999)).toBeUndefined();
});

it('a gauge that stands for long remembers where it was', () => {
  const one = moved(1000, 1000, 10);
  for (let answer = 0; answer < 64; answer++) one.observe({ number: 10 }, at(11_000 + answer * 1000));
  one.observe({ number: 9 }, at(80_000));
  expect(one.stands(80_000)).toMatchObject({ since: 10_000 });
});
