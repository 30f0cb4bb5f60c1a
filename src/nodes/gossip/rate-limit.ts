/** Lets requests through at a rate: resolves when the next one may go. */
export type RateLimit = () => Promise<void>;

/** `perSecond` in the long run, `burst` at once. */
export function rateLimit(perSecond: number, burst: number): RateLimit {
  let free = burst;
  let at = performance.now();
  return async () => {
    const now = performance.now();
    free = Math.min(burst, free + ((now - at) / 1000) * perSecond);
    at = now;
    free -= 1;
    if (free < 0) await new Promise((resolve) => setTimeout(resolve, (-free / perSecond) * 1000));
  };
}
