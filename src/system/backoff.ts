/** Pauses that double from one failure to the next. */
export interface Backoff {
  /** Milliseconds of the pause after one more failure. */
  next(): number;
  /** Failures since the last success. */
  readonly failures: number;
  succeeded(): void;
}

/** From `firstMs` to at most `mostMs`. */
export function backoff(firstMs: number, mostMs: number): Backoff {
  let failures = 0;
  return {
    get failures() {
      return failures;
    },
    next: () => Math.min(mostMs, firstMs * 2 ** Math.min(failures++, 20)),
    succeeded: () => {
      failures = 0;
    },
  };
}
