import { concat } from '../../bytes.ts';
import { asBytes, asList, type RlpItem, rlpDecode, rlpEncode } from '../rlp.ts';

/** The blobs of a type 3 transaction with their commitments and proofs (geth: `BlobTxSidecar`). */
export interface BlobSidecar {
  /** 0: a proof for each blob (EIP-4844). 1: proofs of its cells (EIP-7594). */
  readonly version: 0 | 1;
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  /** Those of one blob after those of the other. */
  readonly proofs: readonly Uint8Array[];
}

/** A type 3 transaction: its form in a block, and its sidecar. */
export interface BlobTransaction {
  readonly raw: Uint8Array;
  readonly sidecar: BlobSidecar;
}

const BLOB_TYPE = 3;

/** Fields of a type 3 transaction in a block. Its network form is a list with that list as its first item. */
const isNetworkForm = (items: readonly RlpItem[]): boolean => items.length === 4 || items.length === 5;

/**
 * Splits a type 3 transaction in its network form. Undefined if it is in the form of a block.
 * `0x03 ‖ rlp([payload, blobs, commitments, proofs])` (EIP-4844), or `0x03 ‖ rlp([payload, 1, blobs, commitments,
 * cellProofs])` (EIP-7594).
 * @throws ProtocolError rlp-malformed, Error on another wrapper version
 */
export function splitBlobTransaction(network: Uint8Array): BlobTransaction | undefined {
  const parts = asList(rlpDecode(network.subarray(1)), 'blob transaction');
  if (!isNetworkForm(parts)) return undefined;
  const version = parts.length === 4 ? 0 : asBytes(parts[1], 'wrapper version')[0];
  if (version !== 0 && version !== 1) throw new Error(`blob transaction with the unknown wrapper version ${version}`);
  const [blobs, commitments, proofs] = parts.slice(-3);
  return {
    raw: concat(Uint8Array.of(BLOB_TYPE), rlpEncode(asList(parts[0], 'payload'))),
    sidecar: {
      version,
      blobs: bytesOf(blobs, 'blobs'),
      commitments: bytesOf(commitments, 'commitments'),
      proofs: bytesOf(proofs, 'proofs'),
    },
  };
}

/** Encodes the network form of a type 3 transaction, the inverse of {@link splitBlobTransaction}. */
export function joinBlobTransaction({ raw, sidecar }: BlobTransaction): Uint8Array {
  const { version, blobs, commitments, proofs } = sidecar;
  const payload = rlpDecode(raw.subarray(1));
  const wrapper = version === 0 ? [] : [Uint8Array.of(version)];
  return concat(Uint8Array.of(BLOB_TYPE), rlpEncode([payload, ...wrapper, blobs, commitments, proofs]));
}

function bytesOf(list: RlpItem | undefined, what: string): readonly Uint8Array[] {
  return asList(list, what).map((item) => asBytes(item, 'item'));
}
