import type { Problem } from './health/problem.ts';

/** Formats problems for people: two lines each, the problem with its start, then the cause. */
export function problemLines(problems: readonly Problem[], now: number): string[] {
  return problems.flatMap(({ subject, what, since, because }) => [
    `PROBLEM  ${subject}: ${what}, since ${new Date(since).toISOString().slice(11, 19)} UTC (${spanOf(now - since)})`,
    ...(because === null ? [] : [`         ${because}`]),
  ]);
}

function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
