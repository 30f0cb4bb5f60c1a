import type { L1AttributesCodec, L1BlobSchedule, Rules } from '../rules/rules.ts';
import type {
  BlockId,
  ExecutionPayloadEnvelope,
  Hex,
  L1Header,
  L1Receipt,
  L1Transaction,
  RollupConfig,
  Seconds,
} from '../types.ts';
import type { DaCommitment } from './da-commitment.ts';

/**
 * The L1 chain, as derivation reads it (op-node: `L1Fetcher`; kona: `ChainProvider`, `BlobProvider`).
 * A rejected promise means that the pipeline answers `retry`. `null` means that L1 has no such block: not yet (by
 * number), or no longer (by hash, after a reorg). Every answer belongs to one block hash, so callers may cache by hash.
 */
export interface L1Chain {
  /** Returns the canonical header of a number; null if the chain is shorter, confirmation depth included. */
  headerByNumber(number: number): Promise<L1Header | null>;
  /** Returns the header of a block, canonical or not; null if L1 does not have it. */
  headerByHash(hash: Hex): Promise<L1Header | null>;
  /** Returns all receipts of a block in order; null if L1 does not have the block. */
  receipts(hash: Hex): Promise<readonly L1Receipt[] | null>;
  /** Returns all transactions of a block in order, senders recovered; null if L1 does not have the block. */
  transactions(hash: Hex): Promise<readonly L1Transaction[] | null>;
  /**
   * Returns the blobs (131072 bytes each) of these versioned hashes, in order, verified against them.
   * Null if the blobs are gone for good or belong to a reorganised block; the pipeline then resets.
   */
  blobs(header: L1Header, versionedHashes: readonly Hex[]): Promise<readonly Uint8Array[] | null>;
}

/**
 * The L2 chain in the rollup node's engine (op-node: `L2Source`, kona: `L2ChainProvider`).
 * A rejected promise means "retry", `null` that the engine lacks the block.
 */
export interface L2Chain {
  /** Returns the payload of a block hash. */
  payloadByHash(hash: Hex): Promise<ExecutionPayloadEnvelope | null>;
  /** Returns the payload of a number on the engine's canonical (unsafe) chain. */
  payloadByNumber(number: number): Promise<ExecutionPayloadEnvelope | null>;
}

/**
 * Decompresses a stream and returns at most its first `maxBytes` bytes.
 * Broken or truncated input is not an error: the result is what was decompressed before the fault, possibly empty. A
 * rejection drops the channel. Data after the end of the stream is ignored.
 */
export type Decompress = (compressed: Uint8Array, maxBytes: number) => Promise<Uint8Array> | Uint8Array;

/** The decompressors of channels (specification: Channel Format). */
export interface Decompressors {
  /** RFC 1950. */
  readonly zlib: Decompress;
  /** RFC 7932, without the channel version byte. */
  readonly brotli: Decompress;
}

/**
 * Reads from a DA server; null if it lacks the data of a commitment (op-alt-da: `DAStorage`).
 * A rejected promise means "retry".
 */
export type DaStorage = (commitment: DaCommitment) => Promise<Uint8Array | null>;

/**
 * Data behind commitments, with the challenges against them followed on L1 (op-node: `AltDAInputFetcher`).
 * Specification: alt-da, Derivation.
 */
export interface AltDaInputs {
  /**
   * Processes the next L1 block of the pipeline (op-alt-da: `AdvanceL1Origin`).
   * @throws DerivationError (reset) if a challenge against used data expired, (retry)
   */
  advance(origin: L1Header): Promise<void>;
  /**
   * Returns the data of a commitment in the L1 block `origin` (op-alt-da: `GetInput`).
   * `skip`: the data is not part of the chain. `more`: more of L1 was read for a challenge, so call again.
   * @throws DerivationError (retry) while missing data may still be challenged, (fatal) if it is missing for good
   */
  input(commitment: DaCommitment, origin: L1Header): Promise<Uint8Array | 'skip' | 'more'>;
  /**
   * Returns the newest L1 block that is final for derivation once L1 finalized `l1`; null for none.
   * Its commitments can no longer lose a challenge. Counterpart in op-alt-da: `Finalize`.
   */
  finalizedBy(l1: BlockId): Promise<BlockId | null>;
  /** Starts over from an L1 block, as the pipeline does (op-alt-da: `Reset`). */
  reset(base: BlockId): void;
}

/** Everything that the pipeline needs from outside. */
export interface Ports {
  readonly l1: L1Chain;
  readonly l2: L2Chain;
  readonly decompress: Decompressors;
  /** Source of the data behind commitments, on rollups with alternative DA. */
  readonly altDa?: AltDaInputs;
  /** Receives what the pipeline dropped, and why. */
  readonly log?: DerivationLog;
  /** Receives each item that the pipeline reads. */
  readonly onRead?: (what: Derived) => void;
}

/** A frame that reached the channel stage, a whole channel (compressed bytes), a batch of it. */
export type Derived =
  | { readonly kind: 'frame' | 'singular' | 'span' }
  | { readonly kind: 'channel'; readonly bytes: number };

/** Logs one event of the pipeline: a level, a message, and the data that belongs to it. */
export type DerivationLog = (
  level: 'debug' | 'info' | 'warn',
  message: string,
  data?: Readonly<Record<string, unknown>>,
) => void;

/**
 * Properties of a block in which one or more forks activate (specification: Network upgrade automation transactions).
 */
export interface Activation {
  /** Encoded deposit transactions, after the user deposits; empty if the forks bring none. */
  readonly transactions: readonly Hex[];
  /** Gas by which the block's gas limit exceeds the system config's. */
  readonly gas: number;
  /** Part of that gas which the next block's limit is without (kona: `upgrade_gas_to_strip`). */
  readonly gasToStrip: number;
  /** The sequencer takes no transactions from the pool. */
  readonly noTxPool: boolean;
  /** A batch for the block that carries transactions is dropped. */
  readonly emptyBatch: boolean;
}

/**
 * A rollup as derivation reads it: its configuration with the rules in force by time. Built by `rollupOf`.
 * Counterparts: `rollup.Config` with `ChainSpec` (op-node), `RollupConfig` (kona).
 */
export interface Rollup {
  readonly config: RollupConfig;
  /**
   * Returns the rules at a time (Unix s). Each rule states which time it takes: of an L2 block, its L1 origin, or the
   * L1 inclusion block.
   */
  rulesAt(time: Seconds): Rules;
  /**
   * Returns the L1 attributes codec of the block at an L2 time.
   * An activation block still makes the call of its parent's rules (op-node: `isEcotoneButNotFirstBlock` and its
   * successors).
   */
  l1AttributesAt(time: Seconds): L1AttributesCodec;
  /** Null for a block in which no fork activates. @throws ProtocolError bundle-missing */
  activationAt(time: Seconds): Activation | null;
  readonly l1BlobSchedule: L1BlobSchedule;
}
