/**
 * Limits of one request, response or connection (geth: `RPCGasCap`, `SetBatchLimits`; reth: `RpcServerArgs`).
 * Infinity: no limit.
 */
export interface Limits {
  /** Bytes of an HTTP body, and of a WebSocket message. */
  readonly body: number;
  readonly message: number;
  /** Requests in a batch. */
  readonly batch: number;
  /** Bytes of all responses of a batch, and of one response. */
  readonly batchResponse: number;
  readonly response: number;
  /** Concurrent connections of a listener. */
  readonly connections: number;
  /** Subscriptions of one connection. */
  readonly subscriptions: number;
  /** Concurrent filters, and milliseconds after which an unpolled one is removed. */
  readonly filters: number;
  readonly filterLifetime: number;
  /** Block range of a log query, and logs in its response. */
  readonly logRange: number;
  readonly logs: number;
  /** Addresses, and topics of one position, in a log query. */
  readonly logAddresses: number;
  readonly logTopics: number;
  /** Gas of a call, and its time limit in milliseconds. */
  readonly gasCap: bigint;
  readonly callTime: number;
  /** Blocks of an eth_simulateV1 request. */
  readonly simulatedBlocks: number;
  /** Seconds between blocks of an eth_simulateV1 request that state no time (geth: `timestampIncrement`). */
  readonly simulatedBlockTime: number;
  /** Block range of a trace_filter request. */
  readonly traceRange: number;
}

/** Gas of a call without a cap: the maximum gas limit of a block. */
const NO_GAS_CAP = 2n ** 63n - 1n;

/** Applies the limits that options set. 0 removes a limit. */
export function withLimits(base: Limits, given: { readonly [Name in keyof Limits]?: number | undefined }): Limits {
  const changed: Record<string, number | bigint> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (name === 'gasCap') changed[name] = value === 0 ? NO_GAS_CAP : BigInt(value);
    else changed[name] = value === 0 ? Number.POSITIVE_INFINITY : value;
  }
  return { ...base, ...changed };
}
