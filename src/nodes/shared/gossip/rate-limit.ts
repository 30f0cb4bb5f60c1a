/** Resolves true when the next request may pass, or false at once where it would wait too long. */
export type RateLimit = () => Promise<boolean>;

/** Creates a rate limiter: `perSecond` in the long run, `burst` at once, no wait above `maxWaitMs`. */
export function rateLimit(perSecond: number, burst: number, maxWaitMs: number): RateLimit {
  let free = burst;
  let at = performance.now();
  return async () => {
    const now = performance.now();
    free = Math.min(burst, free + ((now - at) / 1000) * perSecond);
    at = now;
    const wait = ((1 - free) / perSecond) * 1000;
    if (wait > maxWaitMs) return false;
    free -= 1;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    return true;
  };
}
