import { LAST_TIME } from '../time/clock.ts';

/** Last Unix second that a `Date` can hold. */
export const LAST_SECOND = LAST_TIME / 1000;

/** Longest time (ms) that a timer of Node can wait: a longer one ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Largest id of a process that a system has. */
export const LAST_PID = 2 ** 31 - 1;

/** Returns whether a value from outside is a time in Unix ms. */
export function isTime(value: unknown): value is number {
  return isWithin(0, value, LAST_TIME);
}

/** Returns whether a value from outside is a time in Unix seconds. */
export function isSecond(value: unknown): value is number {
  return isWithin(0, value, LAST_SECOND);
}

/** Returns whether a value from outside identifies one process: 0 and negative ids are groups, and -1 is every one. */
export function isPid(value: unknown): value is number {
  return Number.isInteger(value) && isWithin(1, value, LAST_PID);
}

function isWithin(least: number, value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
