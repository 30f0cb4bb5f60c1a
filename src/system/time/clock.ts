/** The source of chain time. JWT and timeouts stay on the wall clock; all chain time is read here. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Returns wall milliseconds since some time in the past. They go on while the clock stands. */
  elapsed(): number;
  /** Returns the wall milliseconds until a time of this clock: 0 when it is past, infinite while the clock stands. */
  wallUntil(time: number): number;
  /** Calls back after the clock was moved or its rate was changed. Returns the unsubscription. */
  onMoved(listener: () => void): () => void;
  /**
   * Moves the clock of the whole network to a time, slot by slot. Resolves with its time then; rejects if the owner
   * refuses. Absent: no owner moves this clock.
   */
  readonly move?: (to: number) => Promise<number>;
}

/** The wall clock. */
export function wallClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    wallUntil: (time) => Math.max(0, time - Date.now()),
    onMoved: () => () => {},
  };
}

/** Longest timer of Node.js, rounded down, ms. */
const MAX_TIMER_MS = 2 ** 30;

/** Resolves when the clock reaches `time` (ms), also when it is moved past it; false when aborted. */
export async function reach(clock: Clock, time: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const left = clock.wallUntil(time);
    if (left <= 0) return true;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unsubscribe();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(left, MAX_TIMER_MS));
      const unsubscribe = clock.onMoved(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
  return false;
}
