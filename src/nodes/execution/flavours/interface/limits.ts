import type { QueryLimits } from '../../query/context.ts';

/**
 * Limits of one request, response or connection (geth: `RPCGasCap`, `SetBatchLimits`; reth: `RpcServerArgs`).
 * Infinity: no limit.
 */
export interface Limits extends QueryLimits {
  /** Bytes of an HTTP body, and of a WebSocket message. */
  readonly body: number;
  readonly message: number;
  /** Requests in a batch. */
  readonly batch: number;
  /** Bytes of all responses of a batch. */
  readonly batchResponse: number;
  /** Concurrent connections of a listener. */
  readonly connections: number;
  /** Subscriptions of one connection. */
  readonly subscriptions: number;
  /** Block range of a trace_filter request. */
  readonly traceRange: number;
}

/** Gas of a call without a cap: the maximum gas limit of a block. */
const NO_GAS_CAP = 2n ** 63n - 1n;

/** Applies the limits that options set. 0 removes a limit. */
export function withLimits(base: Limits, values: { readonly [Name in keyof Limits]?: number | undefined }): Limits {
  const changed: Record<string, number | bigint> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (name === 'gasCap') changed[name] = value === 0 ? NO_GAS_CAP : BigInt(value);
    else changed[name] = value === 0 ? Number.POSITIVE_INFINITY : value;
  }
  return { ...base, ...changed };
}
