import { asBytes, asList, type RlpItem, rlpDecode } from '../../../protocol/codec/rlp.ts';
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

/** The blobs of a type 3 transaction with their commitments (geth: `BlobTxSidecar`). */
export interface Sidecar {
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  /** One per blob; undefined if the sidecar has cell proofs instead (EIP-7594). */
  readonly proofs: readonly Uint8Array[] | undefined;
}

/** Wrapper version of a sidecar with cell proofs. */
const CELL_PROOFS_VERSION = 1;

/**
 * Decodes the sidecar of a type 3 transaction in its network form.
 * `0x03 ‖ rlp([payload, blobs, commitments, proofs])` (EIP-4844), or `0x03 ‖ rlp([payload, 1, blobs, commitments,
 * cellProofs])` (EIP-7594).
 * @throws ProtocolError rlp-malformed, Error on another wrapper version
 */
export function sidecarOf(raw: Uint8Array): Sidecar {
  const parts = asList(rlpDecode(raw.subarray(1)), 'blob transaction');
  const version = parts.length === 4 ? undefined : asBytes(parts[1], 'wrapper version')[0];
  if (version !== undefined && version !== CELL_PROOFS_VERSION)
    throw new Error(`blob transaction with the unknown wrapper version ${version}`);
  const [blobs, commitments, last] = parts.slice(-3);
  const proofs = bytesOf(last, 'proofs');
  return {
    blobs: bytesOf(blobs, 'blobs'),
    commitments: bytesOf(commitments, 'commitments'),
    proofs: version === undefined ? proofs : undefined,
  };
}

function bytesOf(list: RlpItem | undefined, what: string): readonly Uint8Array[] {
  return asList(list, what).map((item) => asBytes(item, 'item'));
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
