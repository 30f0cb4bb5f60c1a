import type { Limits } from '../interface/limits.ts';

const MB = 1024 * 1024;
const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * Defaults of op-geth (geth: `node.DefaultConfig`, `ethconfig.Defaults`). It has no limit on `response`,
 * `subscriptions`, `filters` and `logs`: these bound memory.
 */
export const GO_LIMITS: Limits = {
  body: 5 * MB,
  message: 32 * MB,
  batch: 1000,
  batchResponse: 25_000_000,
  response: 256 * MB,
  subscriptions: 10_000,
  filters: 1000,
  logs: 100_000,
  connections: NO_LIMIT,
  filterLifetime: 5 * 60_000,
  logRange: NO_LIMIT,
  logAddresses: 1000,
  logTopics: 1000,
  gasCap: 50_000_000n,
  callTime: 5000,
  simulatedBlocks: 256,
  simulatedBlockTime: 12,
  traceRange: NO_LIMIT,
};
