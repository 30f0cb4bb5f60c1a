import { asError } from '../failure.ts';

/** Pauses that double with each failure in a row. */
export interface Backoff {
  /** Counts a failure and returns the pause after it, milliseconds. */
  next(): number;
  /** Failures since the last success. */
  readonly failures: number;
  /**
   * Tells if a failure is the first in a row, or has another message than the one before. Called before `next`.
   * The first is often a connection that closed, and the next one the cause: both belong in the log.
   */
  isNews(error: unknown): boolean;
  succeeded(): void;
}

/** Creates a backoff from `firstMs` to at most `maxMs`. */
export function backoff(firstMs: number, maxMs: number): Backoff {
  let failures = 0;
  let last: string | undefined;
  return {
    get failures() {
      return failures;
    },
    isNews(error) {
      const before = failures === 0 ? undefined : last;
      last = asError(error).message;
      return last !== before;
    },
    next: () => Math.min(maxMs, firstMs * 2 ** Math.min(failures++, 20)),
    succeeded: () => {
      failures = 0;
    },
  };
}
