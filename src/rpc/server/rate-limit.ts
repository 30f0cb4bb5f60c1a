import { LRUCache } from 'lru-cache';
import { TokenBucket } from '../../system/net/token-bucket.ts';
import { RPC_CODE, RpcError } from '../error.ts';

/** Addresses remembered. One that is evicted starts with a full bucket again. */
const MAX_ADDRESSES = 1000;

/**
 * Limits the requests of each address to `perSecond`; each request of a batch counts.
 * Returns the error of a message that exceeds the limit. None of its requests is then run.
 */
export function rateLimitByAddress(perSecond: number): (requests: number, from: string) => RpcError | undefined {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES });
  return (requests, from) => {
    const bucket = buckets.get(from) ?? new TokenBucket(perSecond, perSecond);
    buckets.set(from, bucket);
    if (bucket.tokens < requests)
      return new RpcError(RPC_CODE.limitExceeded, `too many requests: at most ${perSecond} a second from one address`);
    bucket.take(requests);
    return undefined;
  };
}
