/** Longest timer of Node.js, rounded down, ms. A longer one is over at once. */
export const MAX_TIMER_MS = 2 ** 30;

/** Resolves after `ms` milliseconds of the wall clock, however many, or at once when aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    let left = ms;
    let timer: NodeJS.Timeout | undefined;
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const wait = () => {
      const part = Math.min(left, MAX_TIMER_MS);
      left -= part;
      timer = setTimeout(left > 0 ? wait : done, part);
    };
    wait();
    signal.addEventListener('abort', done, { once: true });
  });
}
