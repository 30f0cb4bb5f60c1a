import { asBytes, asList, rlpDecode } from '../../protocol/codec/rlp.ts';
import type { Hex } from '../../protocol/types.ts';

/** What the journal keeps of an L1 block: enough to make it again with the same hash. */
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

/** A transaction as it was sent. Type 3 ones lie in the blob store under their hash, sidecar included. */
export interface JournalTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  /** Absent where the blob store holds it. */
  readonly raw?: Hex;
  /** Versioned hashes of a type 3 transaction's blobs. */
  readonly blobs?: readonly Hex[];
  /** Sent by an impersonated account: its fields, as it has no signature to send it by. */
  readonly impersonated?: Readonly<Record<string, unknown>>;
}

/** The blobs of a type 3 transaction with what proves them (EIP-4844, networking). */
export interface Sidecar {
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proofs: readonly Uint8Array[];
}

/**
 * The sidecar of a type 3 transaction in its network form: `0x03 ‖ rlp([payload, blobs, commitments, proofs])`, or the form of EIP-7594 with a
 * version before the blobs. @throws ProtocolError rlp-malformed
 */
export function sidecarOf(raw: Uint8Array): Sidecar {
  const parts = asList(rlpDecode(raw.subarray(1)), 'blob transaction');
  const [blobs, commitments, proofs] = parts
    .slice(-3)
    .map((part, at) => asList(part, ['blobs', 'commitments', 'proofs'][at]!).map((item) => asBytes(item, 'item')));
  return { blobs: blobs!, commitments: commitments!, proofs: proofs! };
}

/** JSON of one blob's place in its transaction, by its versioned hash. */
export interface BlobPlace {
  readonly transaction: Hex;
  readonly index: number;
  readonly versionedHash: Hex;
}

/** Where the blobs of a block are, in their order in the block. */
export function blobPlaces(block: JournalBlock): readonly BlobPlace[] {
  return block.transactions.flatMap(({ hash, blobs = [] }) =>
    blobs.map((versionedHash, index) => ({ transaction: hash, index, versionedHash })),
  );
}
