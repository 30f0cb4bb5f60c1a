import { type Envelope, STANDARD_ENVELOPE } from '../../rpc/envelope.ts';
import type { StateRetention } from './chain/chain.ts';
import type { BadBlockRetention } from './engine/bad-blocks.ts';
import { RUST_ENVELOPE } from './flavour-envelope.ts';
import { type FlavourErrors, GO_ERRORS, RUST_ERRORS, stateMissing } from './flavour-errors.ts';
import type { Limits } from './limits.ts';
import { POOL_MANNERS, type PoolBehaviour } from './pool/behaviour.ts';
import type { SyncProgress } from './sync/backfill.ts';
import { GO_TRACES, RUST_TRACES, type TraceBehaviour } from './tracing/behaviour.ts';
import { goSyncing, goSyncNotice, rustSyncing, rustSyncNotice } from './views/sync.ts';
import { GO_WITNESS, RUST_WITNESS, type WitnessBehaviour } from './witness/behaviour.ts';

/** Which of the two execution clients this process behaves as. */
export type FlavourName = 'rust' | 'go';

/** Every difference between the two, in one place (the words of errors stand beside it); consensus rules have none. */
export interface Flavour {
  readonly name: FlavourName;
  /** Namespaces that it has, served where the options name them, and those served where the options name none. */
  readonly namespaces: readonly string[];
  readonly defaultApi: readonly string[];
  /** Namespaces that the real client knows and this one serves nothing of: asked for, they are left out with a warning. */
  readonly unservedApi: readonly string[];
  /** How its transaction pool behaves. */
  readonly pool: PoolBehaviour;
  /** Methods of its namespaces that only the other client has. */
  readonly lacks: readonly string[];
  /** What is left of the states where `--gcmode=full` prunes them; undefined: the client has no such option. */
  readonly pruned: StateRetention | undefined;
  /** `rpc_modules` exists. */
  readonly rpcModules: boolean;
  /** Headers that are shown alone carry the size of their block. */
  readonly headerSize: boolean;
  /** Transactions and logs carry the time of their block. */
  readonly blockTimestamp: boolean;
  /** Deposits carry a `yParity` beside `v`, as typed transactions do. */
  readonly depositYParity: boolean;
  /** Receipts of deposits carry the L1 fee fields too, with no fee. */
  readonly depositL1Fields: boolean;
  /** Hashes with which a proof shows an account that is not there. */
  readonly absentHashes: { readonly codeHash?: Uint8Array; readonly storageRoot?: Uint8Array };
  /** Whether a call may name a `gasPrice` below the base fee; it pays that, and no tip. */
  readonly anyGasPrice: boolean;
  /** Whether a call that names a price and no gas gets what its sender can pay for, at most a block's gas; else what any call gets. A list of accesses is made with a block's gas then. */
  readonly capsPricedCalls: boolean;
  /** Whether a filter's places without a topic match a log that has no topic there. */
  readonly emptyTopicsMatch: boolean;
  /** Whether a query of blocks answers null where no safe or finalized block is set, instead of an error. */
  readonly unsetLabelIsNull: boolean;
  /** Whether ending an unknown subscription answers false, instead of an error. */
  readonly unknownSubscriptionIsFalse: boolean;
  readonly badBlocks: BadBlockRetention;
  readonly tracing: TraceBehaviour;
  readonly witness: WitnessBehaviour;
  readonly errors: FlavourErrors;
  /** What its JSON-RPC server answers beside the methods. */
  readonly envelope: Envelope;
  readonly limits: Limits;
  /** Answer of eth_syncing; `head`: number of the newest block; `progress` while blocks are fetched from peers. */
  syncing(head: number, progress: SyncProgress | undefined): unknown;
  /** What a subscription to `syncing` tells when that begins and ends. */
  syncNotice(progress: SyncProgress | undefined): unknown;
  clientVersion(version: string): string;
  /** Two letters for engine_getClientVersionV1. */
  readonly code: string;
}

const platform = `${process.platform}-${process.arch}/node${process.versions.node}`;
const MB = 1024 * 1024;
const NONE = Number.POSITIVE_INFINITY;

const rust: Flavour = {
  name: 'rust',
  namespaces: ['eth', 'net', 'web3', 'txpool', 'debug', 'admin', 'miner', 'trace', 'ots'],
  defaultApi: ['eth', 'net', 'web3'],
  unservedApi: ['rpc', 'reth', 'flashbots', 'mev'],
  pool: POOL_MANNERS.rust,
  pruned: undefined,
  lacks: [],
  rpcModules: false,
  headerSize: true,
  blockTimestamp: true,
  depositYParity: true,
  depositL1Fields: true,
  absentHashes: {},
  anyGasPrice: true,
  capsPricedCalls: true,
  emptyTopicsMatch: true,
  unsetLabelIsNull: true,
  unknownSubscriptionIsFalse: true,
  badBlocks: { most: 64, first: 'newest', descendants: true },
  tracing: RUST_TRACES,
  witness: RUST_WITNESS,
  errors: RUST_ERRORS,
  envelope: RUST_ENVELOPE,
  limits: {
    body: 15 * MB,
    message: 15 * MB,
    // The Rust client has no limit: what comes in more requests than this is work without end on one thread.
    batch: 100_000,
    batchResponse: 160 * MB,
    response: 160 * MB,
    connections: 500,
    subscriptions: 1024,
    filters: 1000,
    filterLifetime: 5 * 60_000,
    logRange: 100_000,
    logs: 20_000,
    logAddresses: NONE,
    logTopics: NONE,
    gasCap: 50_000_000n,
    callTime: 5000,
    simulatedBlocks: 256,
    traceRange: 100,
  },
  syncing: rustSyncing,
  syncNotice: rustSyncNotice,
  clientVersion: (version) => `rollup-devnet/execution-rust/v${version}/${platform}`,
  code: 'XR',
};

const go: Flavour = {
  name: 'go',
  namespaces: ['eth', 'net', 'web3', 'txpool', 'debug', 'admin', 'miner'],
  defaultApi: ['eth', 'net', 'web3'],
  unservedApi: ['rpc', 'les', 'clique', 'personal'],
  pool: POOL_MANNERS.go,
  pruned: { blocks: 128, missing: stateMissing },
  lacks: ['debug_executionWitnessByBlockHash', 'debug_getRawTransactions'],
  rpcModules: true,
  headerSize: false,
  blockTimestamp: false,
  depositYParity: false,
  depositL1Fields: false,
  absentHashes: { codeHash: new Uint8Array(32), storageRoot: new Uint8Array(32) },
  anyGasPrice: false,
  capsPricedCalls: false,
  emptyTopicsMatch: false,
  unsetLabelIsNull: false,
  unknownSubscriptionIsFalse: false,
  badBlocks: { most: 10, first: 'highest', descendants: false },
  tracing: GO_TRACES,
  witness: GO_WITNESS,
  errors: GO_ERRORS,
  envelope: STANDARD_ENVELOPE,
  limits: {
    body: 5 * MB,
    message: 32 * MB,
    batch: 1000,
    batchResponse: 25_000_000,
    // The Go client has no limit on these four; an answer that fits into no memory helps nobody.
    response: 256 * MB,
    subscriptions: 10_000,
    filters: 1000,
    logs: 100_000,
    connections: NONE,
    filterLifetime: 5 * 60_000,
    logRange: NONE,
    logAddresses: 1000,
    logTopics: 1000,
    gasCap: 50_000_000n,
    callTime: 5000,
    simulatedBlocks: 256,
    traceRange: NONE,
  },
  syncing: goSyncing,
  syncNotice: goSyncNotice,
  clientVersion: (version) => `rollup-devnet/execution-go/v${version}/${platform}`,
  code: 'XG',
};

export const FLAVOURS: Readonly<Record<FlavourName, Flavour>> = { rust, go };
