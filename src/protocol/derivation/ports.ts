import type { DaCommitment } from '../codec/da-commitment.ts';
import type { L1AttributesCodec, L1BlobSchedule, Rules } from '../parts/rules.ts';
import type {
  BlockId,
  ExecutionPayloadEnvelope,
  Hex,
  L1Header,
  L1Receipt,
  L1Transaction,
  RollupConfig,
} from '../types.ts';

/**
 * The L1 chain as derivation reads it. A rejected promise means "ask again later" (the pipeline answers `retry`); `null` means that L1 has no such
 * block: not yet (by number) or not any more (by hash, after a reorg). Answers must belong to one block by its hash, so callers may cache by hash.
 */
export interface L1Chain {
  /** Header of the canonical block of a number; null where the chain (as far as derivation may see it, confirmation depth included) is shorter. */
  headerByNumber(number: number): Promise<L1Header | null>;
  /** Header of a block, canonical or not; null where L1 does not know it. */
  headerByHash(hash: Hex): Promise<L1Header | null>;
  /** All receipts of a block in order; null where L1 does not know the block. */
  receipts(hash: Hex): Promise<readonly L1Receipt[] | null>;
  /** All transactions of a block in order, senders recovered; null where L1 does not know the block. */
  transactions(hash: Hex): Promise<readonly L1Transaction[] | null>;
  /**
   * The blobs (131072 bytes each) with these versioned hashes, in the order asked for, verified against them. Null where the block's blobs are gone
   * for good or belong to a block that was reorganised away (the pipeline resets).
   */
  blobs(header: L1Header, versionedHashes: readonly Hex[]): Promise<readonly Uint8Array[] | null>;
}

/** The L2 chain that the rollup node's engine holds. A rejected promise means "ask again later", `null` that the engine has no such block. */
export interface L2Chain {
  payloadByHash(hash: Hex): Promise<ExecutionPayloadEnvelope | null>;
  /** Of the engine's canonical (unsafe) chain. */
  payloadByNumber(number: number): Promise<ExecutionPayloadEnvelope | null>;
}

/**
 * Decompresses a stream and returns at most `maxBytes` bytes of it, the rest is cut off. Broken or truncated input is no error: what could be
 * decompressed before the fault is returned, nothing at all as an empty array; a rejection drops the channel. Data after the end of the stream is ignored.
 */
export type Decompress = (compressed: Uint8Array, maxBytes: number) => Promise<Uint8Array> | Uint8Array;

/** The decompressors of channels (specification: Channel Format). */
export interface Decompressors {
  /** RFC 1950. */
  readonly zlib: Decompress;
  /** RFC 7932, without the channel version byte. */
  readonly brotli: Decompress;
}

/** A DA server as derivation reads it; null where it has no data of this commitment. A rejected promise means "ask again later". */
export type DaStorage = (commitment: DaCommitment) => Promise<Uint8Array | null>;

/** Data behind commitments, with the challenges against them followed on L1 (specification: alt-da, Derivation). */
export interface AltDaInputs {
  /** The pipeline came to an L1 block. @throws DerivationError (reset) where a challenge expired against data that was used, (retry) */
  advance(origin: L1Header): Promise<void>;
  /**
   * The data of a commitment in the L1 block `origin`; `skip`: it is not part of the chain; `more`: L1 was read on for a challenge, ask again.
   * @throws DerivationError (retry) while data is missing and may still be challenged, (fatal) where it is missing for good
   */
  input(commitment: DaCommitment, origin: L1Header): Promise<Uint8Array | 'skip' | 'more'>;
  /** The newest L1 block that is final for derivation when L1 finalized `l1`: its commitments cannot be lost any more. Null for none. */
  finalizedBy(l1: BlockId): Promise<BlockId | null>;
  /** The pipeline starts over from an L1 block. */
  reset(base: BlockId): void;
}

/** Everything that the pipeline needs from outside. */
export interface Ports {
  readonly l1: L1Chain;
  readonly l2: L2Chain;
  readonly decompress: Decompressors;
  /** Of rollups with alternative DA: where the data behind commitments comes from. */
  readonly altDa?: AltDaInputs;
  /** Where the pipeline tells what it dropped and why. */
  readonly log?: DerivationLog;
  /** Told what the pipeline reads. */
  readonly onRead?: (what: Derived) => void;
}

/** A frame that reached the channel stage, a whole channel (compressed bytes), a batch of it. */
export type Derived =
  | { readonly kind: 'frame' | 'singular' | 'span' }
  | { readonly kind: 'channel'; readonly bytes: number };

/** One remark of the pipeline: a level, what happened in words, and the data that belongs to it. */
export type DerivationLog = (
  level: 'debug' | 'info' | 'warn',
  message: string,
  data?: Readonly<Record<string, unknown>>,
) => void;

/** What makes the block in which one or more forks activate different from others (specification: Network upgrade automation transactions). */
export interface Activation {
  /** Encoded deposit transactions, after the user deposits; empty where the forks bring none. */
  readonly transactions: readonly Hex[];
  /** Gas that the block's gas limit has above the system config's, and which the next block does without again. */
  readonly gas: number;
  /** The sequencer takes no transactions from the pool. */
  readonly noTxPool: boolean;
  /** A batch for the block that carries transactions is dropped. */
  readonly emptyBatch: boolean;
}

/** A rollup as derivation sees it: its configuration with the rules in force by time. Built by `rollupOf`. */
export interface Rollup {
  readonly config: RollupConfig;
  /** Rules at a time in Unix seconds: of an L2 block, of an L1 origin or of an L1 inclusion block, as the part in question says. */
  rulesAt(time: number): Rules;
  /** L1 attributes that the block at an L2 time carries: an activation block still makes the call of its parent's rules. */
  l1AttributesAt(time: number): L1AttributesCodec;
  /** Null for a block in which no fork activates. @throws ProtocolError bundle-missing */
  activationAt(time: number): Activation | null;
  readonly l1BlobSchedule: L1BlobSchedule;
}
