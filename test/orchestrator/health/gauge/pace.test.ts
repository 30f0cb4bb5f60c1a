import { expect, it } from 'vitest';
import { Pace, type PaceKind } from '../../../../src/orchestrator/health/gauge/pace.ts';

const ASCENDING = Array.from({ length: 12 }, (_, at) => 1000 * (at + 1));

it.each<[PaceKind, readonly number[], number]>([
  ['fixed', ASCENDING, 2000],
  ['least', [9000, 9000, 9000], 2000],
  ['least', [9000, 9000, 9000, 9000], 9000],
  ['least', [1, 1, 1, 1], 2000],
  ['least', [3000, 4000, 5000, 90_000], 5000],
  ['least', ASCENDING, 9000],
  ['least', [...ASCENDING, 1000], 9000],
  ['least', [90_000, 90_000, 90_000, 90_000, ...ASCENDING], 9000],
  ['learnt', [9000, 9000, 9000], 120_000],
  ['learnt', [9000, 9000, 9000, 9000], 9000],
])('a %s pace of at least 2 s is the upper quartile of at most 12 gaps: %j give %i ms', (kind, gaps, interval) => {
  const pace = new Pace(kind, 2000);
  for (const gap of gaps) pace.learn(gap);
  expect(pace.interval).toBe(interval);
});
