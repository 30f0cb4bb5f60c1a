import { TokenBucket } from '../../../system/net/token-bucket.ts';

/** Resolves true when the next request may pass, or false at once if it would wait too long. */
export type RateLimit = () => Promise<boolean>;

/**
 * Creates a rate limiter: `perSecond` in the long run, `burst` at once, no wait above `maxWaitMs`.
 * Counterpart in op-node: `rate.Limiter` of Go.
 */
export function rateLimit(perSecond: number, burst: number, maxWaitMs: number): RateLimit {
  const bucket = new TokenBucket(perSecond, burst);
  return async () => {
    const wait = bucket.delayMs();
    if (wait > maxWaitMs) return false;
    bucket.take(1);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    return true;
  };
}
