import { expect, it } from 'vitest';
import { clockTime, problemLines, spanOf } from '../../../src/orchestrator/status/problem-lines.ts';

const NOON = Date.parse('2026-01-01T12:00:00.900Z');

it('a problem is a line with its start, and one with its cause if that is known', () => {
  const problems = [
    { subject: 'l1', what: 'does not answer', since: NOON, because: null },
    { subject: 'main/batcher', what: 'is late', since: NOON - 60_000, because: 'l1: does not answer' },
  ];
  expect(problemLines(problems, NOON + 5000)).toEqual([
    'PROBLEM  l1: does not answer, since 12:00:00 UTC (5 s)',
    'PROBLEM  main/batcher: is late, since 11:59:00 UTC (1 min 5 s)',
    '         l1: does not answer',
  ]);
});

it('a moment is the time of its day in UTC, and a span has units', () => {
  expect(clockTime(NOON)).toBe('12:00:00 UTC');
  expect(spanOf(125_000)).toBe('2 min 5 s');
});
