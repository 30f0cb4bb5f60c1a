/** Decides when a process that ended is started again. */
export interface RestartPolicy {
  /** Returns the pause (ms) before the next start, undefined if it ended too often. */
  next(now: number): number | undefined;
}

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
const BURST = 5;
const BURST_MS = 30_000;

/**
 * Creates the policy of one process: 0.2 s, doubled each time up to 10 s, reset after 30 quiet seconds.
 * More than 5 ends within 30 s are too many.
 */
export function restartPolicy(): RestartPolicy {
  let ends: number[] = [];
  return {
    next(now) {
      ends = [...ends.filter((at) => now - at < BURST_MS), now];
      return ends.length > BURST ? undefined : Math.min(FIRST_MS * 2 ** (ends.length - 1), LONGEST_MS);
    },
  };
}
