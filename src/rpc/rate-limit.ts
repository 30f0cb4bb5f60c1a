import { RPC_CODE, RpcError } from './error.ts';

/** Callers remembered; whoever is forgotten starts anew. */
const CALLERS = 1000;

/**
 * Bounds the requests of each caller's address, each of a batch counted: `perSecond` in the long run, as many at once. Returns the error of a message
 * that would exceed it, none of whose requests is then run.
 */
export function rateLimitByAddress(perSecond: number): (requests: number, from: string) => RpcError | undefined {
  const callers = new Map<string, { free: number; at: number }>();
  return (requests, from) => {
    const now = performance.now();
    const { free, at } = callers.get(from) ?? { free: perSecond, at: now };
    const left = Math.min(perSecond, free + ((now - at) / 1000) * perSecond) - requests;
    callers.delete(from);
    callers.set(from, { free: left < 0 ? left + requests : left, at: now });
    for (const oldest of callers.keys()) {
      if (callers.size <= CALLERS) break;
      callers.delete(oldest);
    }
    return left < 0
      ? new RpcError(RPC_CODE.limitExceeded, `too many requests: at most ${perSecond} a second from one address`)
      : undefined;
  };
}
