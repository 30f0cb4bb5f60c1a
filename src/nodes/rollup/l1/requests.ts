import type { Outcome, Request, RpcClient } from '../../../rpc/client/client.ts';
import { asError } from '../../../system/failure.ts';
import { TokenBucket } from '../../../system/net/token-bucket.ts';

/** Limits of the requests. */
export interface RequestLimits {
  /** Requests in one batch. */
  readonly maxBatch: number;
  /** Concurrent batches. */
  readonly maxConcurrency: number;
  /** Requests per second, each of a batch counted; 0: no limit. */
  readonly ratePerSecond: number;
  /** Called for each settled request with its duration in seconds, time in the queue included. */
  readonly onRequest?: (method: string, seconds: number, error: unknown) => void;
}

/** Sends one request; resolves to its result. */
export type Requester = (method: string, params: readonly unknown[]) => Promise<unknown>;

interface Waiting {
  readonly request: Request;
  readonly settle: (outcome: Outcome) => void;
}

/**
 * Batches the requests of one turn of the event loop, and limits concurrency and rate.
 * Counterpart in op-service: `LimitRPC`, `RateLimitingClient`, `IterativeBatchCall`.
 * Queued requests go out in order.
 */
export function limitedRequests(client: RpcClient, limits: RequestLimits): Requester {
  const queue: Waiting[] = [];
  let underWay = 0;
  let isScheduled = false;
  const { ratePerSecond } = limits;
  const bucket = ratePerSecond > 0 ? new TokenBucket(ratePerSecond, Math.max(1, ratePerSecond)) : undefined;

  function schedule(delayMs?: number): void {
    if (isScheduled) return;
    isScheduled = true;
    const go = () => {
      isScheduled = false;
      drain();
    };
    if (delayMs === undefined) setImmediate(go);
    else setTimeout(go, delayMs);
  }

  function drain(): void {
    while (queue.length > 0 && underWay < Math.max(1, limits.maxConcurrency)) {
      const allowed = bucket ? Math.floor(bucket.tokens) : Number.POSITIVE_INFINITY;
      if (allowed < 1) {
        schedule(1000 / ratePerSecond);
        return;
      }
      const batch = queue.splice(0, Math.min(allowed, Math.max(1, limits.maxBatch)));
      bucket?.take(batch.length);
      underWay++;
      void send(client, batch).finally(() => {
        underWay--;
        if (queue.length > 0) schedule();
      });
    }
  }

  return async (method, params) => {
    const from = performance.now();
    const outcome = await new Promise<Outcome>((settle) => {
      queue.push({ request: { method, params }, settle });
      schedule();
    });
    limits.onRequest?.(method, (performance.now() - from) / 1000, outcome.ok ? undefined : outcome.error);
    if (!outcome.ok) throw outcome.error;
    return outcome.result;
  };
}

async function send(client: RpcClient, batch: readonly Waiting[]): Promise<void> {
  try {
    const [only] = batch;
    if (batch.length === 1 && only) {
      const result = await client.call(only.request.method, only.request.params);
      only.settle({ ok: true, result });
      return;
    }
    const outcomes = await client.batch(batch.map(({ request }) => request));
    for (const [at, { settle }] of batch.entries())
      settle(outcomes[at] ?? { ok: false, error: new Error('L1 answered fewer results than requests') });
  } catch (error) {
    for (const { settle } of batch) settle({ ok: false, error: asError(error) });
  }
}
