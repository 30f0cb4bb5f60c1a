import { option } from '../../../system/program/options.ts';
import { RECEIPT_KINDS, type ReceiptKind } from '../l1/receipts.ts';

/**
 * Endpoints of L1 and the execution client (interface, section 4.4).
 * Counterpart in op-node: `NewL1EndpointConfig`, `NewBeaconEndpointConfig`, `NewL2EndpointConfig`.
 */
export const connectionOptions = {
  l1: {
    name: 'l1',
    env: 'L1_ETH_RPC',
    help: 'L1 JSON-RPC endpoint',
    type: option.url('http:', 'https:', 'ws:', 'wss:'),
    default: 'http://127.0.0.1:8545',
  },
  beacon: {
    name: 'l1.beacon',
    env: 'L1_BEACON',
    help: 'L1 beacon node endpoint, for blobs; needed where a fork lets batches be in them',
    type: option.url('http:', 'https:'),
  },
  beaconFallbacks: {
    name: 'l1.beacon-fallbacks',
    env: 'L1_BEACON_FALLBACKS',
    help: 'beacon endpoints asked for blobs that l1.beacon lacks',
    type: option.list,
    default: [],
  },
  beaconHeader: {
    name: 'l1.beacon-header',
    env: 'L1_BEACON_HEADER',
    help: 'extra header of beacon requests, "Name: Value"',
    type: option.string,
  },
  beaconFetchAll: {
    name: 'l1.beacon.fetch-all-sidecars',
    env: 'L1_BEACON_FETCH_ALL_SIDECARS',
    help: "fetch all of a slot's blobs and filter here",
    type: option.boolean,
    default: false,
  },
  beaconIgnore: {
    name: 'l1.beacon.ignore',
    env: 'L1_BEACON_IGNORE',
    help: 'start without a beacon node, or although it does not answer',
    type: option.boolean,
    default: false,
  },
  beaconSlotDuration: {
    name: 'l1.beacon.slot-duration-override',
    env: 'L1_BEACON_SLOT_DURATION_OVERRIDE',
    help: 'seconds of an L1 slot, for beacon nodes that do not tell; 0: as the node says',
    type: option.natural,
    default: 0,
  },
  cacheSize: {
    name: 'l1.cache-size',
    env: 'L1_CACHE_SIZE',
    help: 'L1 blocks, receipts and transactions kept; 0: 3/2 of the sequencing window',
    type: option.natural,
    default: 900,
  },
  epochPoll: {
    name: 'l1.epoch-poll-interval',
    env: 'L1_EPOCH_POLL_INTERVAL',
    help: 'poll safe and finalized L1 blocks this often; 0 or negative: never',
    type: option.duration,
    default: 384_000,
    defaultText: '6m24s',
  },
  httpPoll: {
    name: 'l1.http-poll-interval',
    env: 'L1_HTTP_POLL_INTERVAL',
    help: 'poll the L1 head this often over HTTP',
    type: option.duration,
    default: 12_000,
    defaultText: '12s',
  },
  maxConcurrency: {
    name: 'l1.max-concurrency',
    env: 'L1_MAX_CONCURRENCY',
    help: 'L1 requests under way at once',
    type: option.natural,
    default: 10,
  },
  maxBatch: {
    name: 'l1.rpc-max-batch-size',
    env: 'L1_RPC_MAX_BATCH_SIZE',
    help: 'L1 requests bundled in one',
    type: option.natural,
    default: 20,
  },
  rateLimit: {
    name: 'l1.rpc-rate-limit',
    env: 'L1_RPC_RATE_LIMIT',
    help: 'L1 requests per second; 0: no limit',
    type: option.number,
    default: 0,
  },
  rpcKind: {
    name: 'l1.rpckind',
    env: 'L1_RPC_KIND',
    help: 'how L1 receipts are fetched',
    type: option.choice(...(Object.keys(RECEIPT_KINDS) as ReceiptKind[])),
    default: 'standard' as const,
  },
  runtimeReload: {
    name: 'l1.runtime-config-reload-interval',
    env: 'L1_RUNTIME_CONFIG_RELOAD_INTERVAL',
    help: 'read the unsafe block signer from L1 this often; 0 or negative: once',
    type: option.duration,
    default: 600_000,
    defaultText: '10m0s',
  },
  trustRpc: {
    name: 'l1.trustrpc',
    env: 'L1_TRUST_RPC',
    help: 'do not verify the hashes of L1 headers, transactions and receipts',
    type: option.boolean,
    default: false,
  },
  l2: {
    name: 'l2',
    env: 'L2_ENGINE_RPC',
    help: "the execution client's authenticated endpoint",
    type: option.url('http:', 'https:', 'ws:', 'wss:'),
  },
  engineTimeout: {
    name: 'l2.engine-rpc-timeout',
    env: 'L2_ENGINE_RPC_TIMEOUT',
    help: 'wait this long for an answer of the engine',
    type: option.duration,
    default: 10_000,
    defaultText: '10s',
  },
  jwtSecret: {
    name: 'l2.jwt-secret',
    env: 'L2_ENGINE_AUTH',
    help: 'file with the 32-byte hex JWT secret of the engine; created if absent, an error if empty',
    type: option.string,
  },
  engineKind: {
    name: 'l2.enginekind',
    env: 'L2_ENGINE_KIND',
    help: 'kind of execution client; with --syncmode=execution-layer, geth syncs only before its first finalized block',
    type: option.choice('geth', 'reth', 'erigon'),
    default: 'geth' as const,
  },
} as const;
