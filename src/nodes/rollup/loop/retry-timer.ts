import { backoff } from '../../../system/time/backoff.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { Retry } from './loop.ts';

/**
 * The wait before a failed step is tried again (op-node: `StepSchedulingDeriver`).
 * It is wall time: the step may succeed while the clock stands.
 */
export interface RetryTimer {
  /** Returns the time of the next attempt while it is ahead. */
  waiting(): Retry | undefined;
  /** Counts a failure and returns the time of the next attempt, at least `leastMs` away. */
  failed(leastMs?: number): Retry;
  /** Tries again at `ms` from now, without counting a failure. */
  after(ms: number): Retry;
  /** Failures since the last success. */
  readonly failures: number;
  /** Tells whether a failure is worth a line of the log: see `Backoff`. Called before `failed`. */
  isNews(error: unknown): boolean;
  succeeded(): void;
  /** Ends the wait: the next attempt may come at once. */
  clear(): void;
}

/** Creates a timer whose waits double from `firstMs` to at most `longestMs` (op-service: `retry.Exponential`). */
export function retryTimer(clock: Clock, firstMs: number, longestMs: number): RetryTimer {
  const pauses = backoff(firstMs, longestMs);
  let notBefore = 0;
  const after = (ms: number): Retry => {
    notBefore = clock.elapsed() + ms;
    return { retryAt: notBefore };
  };
  return {
    waiting: () => (notBefore > clock.elapsed() ? { retryAt: notBefore } : undefined),
    failed: (leastMs = 0) => after(Math.max(leastMs, pauses.next())),
    after,
    get failures() {
      return pauses.failures;
    },
    isNews: (error) => pauses.isNews(error),
    succeeded: () => pauses.succeeded(),
    clear() {
      notBefore = 0;
    },
  };
}
