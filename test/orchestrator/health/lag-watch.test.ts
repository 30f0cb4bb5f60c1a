import { describe, expect, it } from 'vitest';
import type { Value } from '../../../src/orchestrator/health/gauge/gauge.ts';
import { LagWatch } from '../../../src/orchestrator/health/lag-watch.ts';

const WALL = 1_700_000_000_000;
const SPEC = { gauge: 'v unsafe', leaders: ['s unsafe'], pace: 'v unsafe', name: 'unsafe head' };
/** Usual time between two movements (ms). Its limit with polling is 3.5 s. */
const INTERVAL_MS = 1000;

/** A head and its leader, shown at a time (ms). */
type Answer = readonly [ms: number, own: number | Value, leader: number | Value];

const asValue = (value: number | Value): Value => (typeof value === 'number' ? { number: value } : value);

function show(lag: LagWatch, ...answers: readonly Answer[]): LagWatch {
  for (const [ms, own, leader] of answers)
    lag.observe(asValue(own), { subject: 's', value: asValue(leader) }, { watched: ms, wall: WALL + ms });
  return lag;
}
const shown = (...answers: readonly Answer[]) => show(new LagWatch(SPEC), ...answers);

/** Expects that a head is late from a time on, exactly. */
function expectLate(lag: LagWatch, ms: number, since: number): void {
  expect(lag.late(ms - 1, INTERVAL_MS)).toBeUndefined();
  expect(lag.late(ms, INTERVAL_MS)).toMatchObject({ since: WALL + since });
}

describe('a head that follows another one is late', () => {
  it('12 intervals after its limit while it has reached no head of its leader', () => {
    expectLate(shown([100, 0, 1], [1100, 0, 2]), 15_600, 100);
  });

  it('by the shortest time in which it has reached one', () => {
    const lag = shown([0, 0, 5], [2000, 5, 5]);
    expectLate(show(lag, [3000, 5, 9]), 8500, 3000);
    show(lag, [4000, 9, 9]);
    expectLate(show(lag, [5000, 9, 12]), 9500, 5000);
    show(lag, [9000, 12, 12]);
    expectLate(show(lag, [10_000, 12, 13]), 14_500, 10_000);
  });

  it('by the newest of the heads that it reaches at once, since the oldest that it has not reached', () => {
    const lag = shown([0, 0, 5], [1000, 0, 7], [1500, 0, 9], [2000, 7, 9]);
    expectLate(lag, 1500 + 3500 + 1000, 1500);
  });

  it('never while it has what its leader had', () => {
    const late = (lag: LagWatch) => lag.late(1e9, INTERVAL_MS);
    expect(late(shown([0, 0, 0]))).toBeUndefined();
    expect(late(shown([0, 5, 4], [1000, 5, 5]))).toBeUndefined();
    expect(late(shown([0, 4, 5], [1000, 5, 5], [2000, 5, 5]))).toBeUndefined();
    expect(late(new LagWatch(SPEC))).toBeUndefined();
  });

  it('by its first 600 heads of the leader', () => {
    const lag = shown(...Array.from({ length: 601 }, (_, index): Answer => [index, 0, index + 1]));
    show(lag, [700, 599, 601]);
    expect(lag.late(1e9, INTERVAL_MS)).toMatchObject({ since: WALL + 599 });
    show(lag, [800, 600, 601]);
    expect(lag.late(1e9, INTERVAL_MS)).toBeUndefined();
  });

  it('later by the time without an answer, at most 10 s, until it reaches a head', () => {
    const lag = shown([0, 0, 5], [1000, 5, 6]);
    lag.hold(300);
    lag.hold(400);
    expectLate(lag, 1000 + 4500 + 700, 1000);
    lag.hold(20_000);
    expectLate(lag, 1000 + 4500 + 10_000, 1000);
    show(lag, [2000, 6, 7]);
    expectLate(lag, 2000 + 4500, 2000);
  });

  it('anew after its leader went back', () => {
    const lag = shown([0, 0, 5], [1000, 5, 8]);
    expectLate(show(lag, [3000, 2, 4]), 3000 + 15_500, 3000);
  });

  it('anew after a restart', () => {
    const lag = shown([0, 0, 5], [1000, 5, 8]);
    lag.hold(5000);
    lag.restart();
    expect(lag.late(1e9, INTERVAL_MS)).toBeUndefined();
    expectLate(show(lag, [4000, 2, 4]), 4000 + 15_500, 4000);
  });
});

describe('the message of a late head', () => {
  const said = (lag: LagWatch) => lag.late(1e9, INTERVAL_MS)?.what;

  it.each<[name: string, own: Value, leader: Value, says: string]>([
    ['one block', { number: 1 }, { number: 2 }, 'unsafe head is 1 block behind s'],
    ['several blocks', { number: 1 }, { number: 2001 }, 'unsafe head is 2,000 blocks behind s'],
    [
      'the chain time',
      { number: 1, time: 100 },
      { number: 3, time: 170 },
      'unsafe head is 2 blocks (1 min 10 s of chain time) behind s',
    ],
    ['no chain time that its leader lacks', { number: 1, time: 1 }, { number: 3 }, 'unsafe head is 2 blocks behind s'],
    ['no chain time that it lacks', { number: 1 }, { number: 3, time: 3 }, 'unsafe head is 2 blocks behind s'],
  ])('has %s', (_, own, leader, says) => {
    expect(said(shown([0, own, leader]))).toBe(says);
  });

  it('stays the same until the lag doubles or halves', () => {
    const lag = shown([0, 0, 10]);
    const says = (answer: Answer) => said(show(lag, answer))?.replace(/\D+/g, '');
    expect(said(lag)).toContain('10 blocks');
    expect(says([1000, 0, 19])).toBe('10');
    expect(says([2000, 0, 20])).toBe('20');
    expect(says([3000, 9, 20])).toBe('20');
    expect(says([4000, 10, 20])).toBe('10');
  });

  it('is a new one after the head was not late', () => {
    const lag = shown([0, 0, 10]);
    expect(said(lag)).toContain('10 blocks');
    show(lag, [1000, 0, 12]);
    expect(said(lag)).toContain('10 blocks');
    expect(lag.late(0, INTERVAL_MS)).toBeUndefined();
    expect(said(lag)).toContain('12 blocks');
    lag.restart();
    show(lag, [2000, 0, 13]);
    expect(said(lag)).toContain('13 blocks');
  });
});
