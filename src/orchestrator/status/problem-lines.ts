import { spanText } from '../../system/numbers/human.ts';
import type { Problem } from '../state/problem.ts';

/** Formats problems for people: two lines each, the problem with its start, then the cause. */
export function problemLines(problems: readonly Problem[], now: number): string[] {
  return problems.flatMap(({ subject, what, since, because }) => [
    `PROBLEM  ${subject}: ${what}, since ${clockTime(since)} (${spanOf(now - since)})`,
    ...(because === null ? [] : [`         ${because}`]),
  ]);
}

/** Formats a moment (Unix ms) as the time of its day in UTC. */
export function clockTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`;
}

/** Formats a span (ms) for people. */
export function spanOf(ms: number): string {
  return spanText(ms / 1000);
}
