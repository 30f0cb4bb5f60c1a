import { createHash } from 'node:crypto';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/**
 * Verification of KZG proofs (EIP-4844). Malformed input throws.
 * Blobs are 131072 bytes, commitments and proofs 48, field elements 32.
 */
export interface KzgVerifier {
  /** Whether a proof holds for a blob and its commitment. */
  verifyBlob(blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array): boolean;
  /** Whether the committed polynomial has value `y` at `z`: the point evaluation precompile's check. */
  verifyPoint(commitment: Uint8Array, z: Uint8Array, y: Uint8Array, proof: Uint8Array): boolean;
}

/**
 * KZG operations of EIP-4844. Malformed input throws.
 * A proof takes about 0.7 s of processor time, in slices; the first one 1 s more.
 */
export interface Kzg extends KzgVerifier {
  /** Commitment to a blob. */
  commit(blob: Uint8Array): Promise<Uint8Array>;
  /** Proof that a blob has this commitment, at the point that both determine. */
  prove(blob: Uint8Array, commitment: Uint8Array): Promise<Uint8Array>;
}

let verifier: Promise<KzgVerifier> | undefined;
let whole: Promise<Kzg> | undefined;

/** Loads what verifies, once; nothing else of this folder may be imported at start-up, as it costs time. */
export function loadKzgVerifier(): Promise<KzgVerifier> {
  verifier ??= import('./verify.ts').then(({ verifyBlob, verifyPoint }) => ({ verifyBlob, verifyPoint }));
  return verifier;
}

/** Loads all operations, once, with the trusted setup's 4096 points. */
export function loadKzg(): Promise<Kzg> {
  whole ??= import('./prove.ts').then(({ loadProver }) => loadProver());
  return whole;
}

/** Versioned hash of a KZG commitment (EIP-4844). */
export function versionedHash(commitment: Uint8Array): Hex {
  const hash = createHash('sha256').update(commitment).digest();
  hash[0] = 1;
  return bytesToHex(hash);
}
