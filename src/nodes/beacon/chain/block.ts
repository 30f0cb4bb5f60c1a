import type { Hex } from '../../../protocol/types.ts';

/** An L1 block in the journal: enough to mine it again with the same hash. */
export interface JournalBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds */
  readonly timestamp: number;
  /** wei, a quantity */
  readonly baseFeePerGas: Hex;
  readonly gasLimit: Hex;
  readonly miner: Hex;
  readonly transactions: readonly JournalTransaction[];
}

/**
 * A call that changed the state of L1 without a transaction (`anvil_setBalance`), after the block that stands before
 * it. A second call changes nothing more.
 */
export interface StateChange {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A transaction in its network form. The blob store holds type 3 ones by hash, sidecar included. */
export interface JournalTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  /** Absent if the blob store holds it. */
  readonly raw?: Hex;
  /** Versioned hashes of a type 3 transaction's blobs. */
  readonly blobs?: readonly Hex[];
  /** Fields of a transaction of an impersonated account, which has no signature. */
  readonly impersonated?: Readonly<Record<string, unknown>>;
}

/** A blob of a transaction, by its versioned hash. */
export interface BlobPlace {
  readonly transaction: Hex;
  readonly index: number;
  readonly versionedHash: Hex;
}

/** Returns the blobs of a block in order. */
export function blobPlaces(block: JournalBlock): readonly BlobPlace[] {
  return block.transactions.flatMap(({ hash, blobs = [] }) =>
    blobs.map((versionedHash, index) => ({ transaction: hash, index, versionedHash })),
  );
}
