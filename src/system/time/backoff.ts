/** Pauses that double with each failure in a row. */
export interface Backoff {
  /** Counts a failure and returns the pause after it, milliseconds. */
  next(): number;
  /** Failures since the last success. */
  readonly failures: number;
  succeeded(): void;
}

/** Creates a backoff from `firstMs` to at most `maxMs`. */
export function backoff(firstMs: number, maxMs: number): Backoff {
  let failures = 0;
  return {
    get failures() {
      return failures;
    },
    next: () => Math.min(maxMs, firstMs * 2 ** Math.min(failures++, 20)),
    succeeded: () => {
      failures = 0;
    },
  };
}
