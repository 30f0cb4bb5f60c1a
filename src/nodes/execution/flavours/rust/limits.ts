import type { Limits } from '../interface/limits.ts';

const MB = 1024 * 1024;
const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * Defaults of op-reth (reth: `RpcServerArgs`, `DEFAULT_MAX_BLOCKS_PER_FILTER`).
 * It has no limit on `batch`: this one bounds the work of one request on one thread.
 */
export const RUST_LIMITS: Limits = {
  body: 15 * MB,
  message: 15 * MB,
  batch: 100_000,
  batchResponse: 160 * MB,
  response: 160 * MB,
  connections: 500,
  subscriptions: 1024,
  filters: 1000,
  filterLifetime: 5 * 60_000,
  logRange: 100_000,
  logs: 20_000,
  logAddresses: NO_LIMIT,
  logTopics: NO_LIMIT,
  gasCap: 50_000_000n,
  callTime: 5000,
  simulatedBlocks: 256,
  simulatedBlockTime: 12,
  traceRange: 100,
};
