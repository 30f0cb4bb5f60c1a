/** When a process that ends again and again is started again. */
export interface Backoff {
  /** Milliseconds to wait before the next start, or undefined where it ended too often: it is not started any more. */
  next(now: number): number | undefined;
}

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
const BURST = 5;
const BURST_MS = 30_000;

/** 0.2 s, doubled each time up to 10 s; more than 5 ends within 30 s are too many. A quiet 30 s start it anew. */
export function backoff(): Backoff {
  let ends: number[] = [];
  return {
    next(now) {
      ends = [...ends.filter((at) => now - at < BURST_MS), now];
      return ends.length > BURST ? undefined : Math.min(FIRST_MS * 2 ** (ends.length - 1), LONGEST_MS);
    },
  };
}
