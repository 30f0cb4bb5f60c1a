import { splitBlobTransaction } from '../../../protocol/codec/blobs/sidecar.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { FileStore } from '../../../system/files/line-file.ts';
import type { ChainBlock } from '../chain/chain.ts';
import { bodyWithCommitments, merkleize, numberChunk } from './merkle.ts';

/** A blob of a slot with its commitment and proof. */
export interface SlotBlob {
  /** Index among the slot's blobs. */
  readonly index: number;
  readonly versionedHash: Hex;
  readonly blob: Uint8Array;
  readonly commitment: Uint8Array;
  /** Undefined if the transaction came with cell proofs. */
  readonly proof: Uint8Array | undefined;
}

/**
 * Reads the blobs of a slot's blocks from disk (`getBlobs`: `/eth/v1/beacon/blobs/{block_id}`).
 * @throws Error if the data folder lacks one
 */
export function blobsOf(blocks: readonly ChainBlock[], store: FileStore): readonly SlotBlob[] {
  const blobs: SlotBlob[] = [];
  for (const { transaction, index: at, versionedHash } of blocks.flatMap(({ blobs = [] }) => blobs)) {
    const raw = store.get(transaction);
    if (raw === undefined) throw new Error(`the blobs of transaction ${transaction} are missing from the data folder`);
    const sidecar = splitBlobTransaction(raw)?.sidecar;
    if (sidecar === undefined) throw new Error(`transaction ${transaction} is without its blobs in the data folder`);
    const { version, blobs: bodies, commitments, proofs } = sidecar;
    const blob = bodies[at];
    const commitment = commitments[at];
    if (blob === undefined || commitment === undefined) throw new Error(`transaction ${transaction} has no blob ${at}`);
    blobs.push({ index: blobs.length, versionedHash, blob, commitment, proof: version === 0 ? proofs[at] : undefined });
  }
  return blobs;
}

/** A beacon block header as JSON, and its root. */
export interface HeaderView {
  readonly root: Hex;
  readonly message: Readonly<Record<string, string>>;
}

/**
 * Builds the beacon block header of a slot (`getBlockHeader`: `/eth/v1/beacon/headers/{block_id}`).
 * No consensus layer exists behind it.
 * The L1 block's hashes stand for parent and state root. The body holds only the KZG commitments, so that inclusion
 * proofs verify.
 */
export function headerOf(slot: number, blocks: readonly ChainBlock[], commitments: readonly Uint8Array[]): HeaderView {
  const [first] = blocks;
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) throw new Error(`slot ${slot} has no block`);
  const parentRoot = first.parentHash;
  const stateRoot = last.hash;
  const bodyRoot = bodyWithCommitments(commitments).root;
  const chunks = [numberChunk(slot), numberChunk(0), hexToBytes(parentRoot), hexToBytes(stateRoot), bodyRoot];
  return {
    root: bytesToHex(merkleize(chunks, 3).root),
    message: {
      slot: String(slot),
      proposer_index: '0',
      parent_root: parentRoot,
      state_root: stateRoot,
      body_root: bytesToHex(bodyRoot),
    },
  };
}

const NO_SIGNATURE = `0x${'00'.repeat(96)}`;

/** Builds `signed_block_header` of the beacon API. */
export function signedHeader(header: HeaderView): object {
  return { message: header.message, signature: NO_SIGNATURE };
}

/**
 * Builds the blob sidecars of a slot, of all blobs or those at `indices` (op-service: `APIBlobSidecar`).
 * Endpoint: `getBlobSidecars`, `/eth/v1/beacon/blob_sidecars/{block_id}`. `prove` computes a proof that is missing.
 */
export function sidecars(
  slot: number,
  blocks: readonly ChainBlock[],
  blobs: readonly SlotBlob[],
  prove: (blob: SlotBlob) => Promise<Uint8Array>,
  indices?: ReadonlySet<number>,
): Promise<readonly object[]> {
  const commitments = blobs.map(({ commitment }) => commitment);
  const header = headerOf(slot, blocks, commitments);
  const sidecar = async (slotBlob: SlotBlob) => {
    const { index, blob, commitment, proof } = slotBlob;
    return {
      index: String(index),
      blob: bytesToHex(blob),
      kzg_commitment: bytesToHex(commitment),
      kzg_proof: bytesToHex(proof ?? (await prove(slotBlob))),
      signed_block_header: signedHeader(header),
      kzg_commitment_inclusion_proof: bodyWithCommitments(commitments, index).proof.map(bytesToHex),
    };
  };
  return Promise.all(blobs.filter(({ index }) => indices?.has(index) ?? true).map(sidecar));
}
