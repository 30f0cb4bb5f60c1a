/** How much one request, answer or connection may take of this node. Infinity: no limit. */
export interface Limits {
  /** Bytes of an HTTP body, and of a WebSocket message. */
  readonly body: number;
  readonly message: number;
  /** Requests in one batch. */
  readonly batch: number;
  /** Bytes of all results of a batch, and of any one answer. */
  readonly batchResponse: number;
  readonly response: number;
  /** Connections of one listener at once. */
  readonly connections: number;
  /** Subscriptions of one connection. */
  readonly subscriptions: number;
  /** Filters held at once, and milliseconds that one lives unpolled. */
  readonly filters: number;
  readonly filterLifetime: number;
  /** Blocks that one query of logs may span, and logs in its answer. */
  readonly logRange: number;
  readonly logs: number;
  /** Addresses, and topics of one position, in a query of logs. */
  readonly logAddresses: number;
  readonly logTopics: number;
  /** Gas of a call, and milliseconds that it may run. */
  readonly gasCap: bigint;
  readonly callTime: number;
  /** Blocks of one eth_simulateV1. */
  readonly simulatedBlocks: number;
  /** Blocks of one trace_filter. */
  readonly traceRange: number;
}

/** Gas of a call where nothing caps it: what fits into the integer that a block's gas limit is. */
const NO_GAS_CAP = 2n ** 63n - 1n;

/** Limits that an option changes; 0 stands for none. */
export function withLimits(base: Limits, given: { readonly [Name in keyof Limits]?: number | undefined }): Limits {
  const changed: Record<string, number | bigint> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (name === 'gasCap') changed[name] = value === 0 ? NO_GAS_CAP : BigInt(value);
    else changed[name] = value === 0 ? Number.POSITIVE_INFINITY : value;
  }
  return { ...base, ...changed };
}
