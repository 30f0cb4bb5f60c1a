import { createHash } from 'node:crypto';
import { bytesToHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { KzgProver } from './prover.ts';

/**
 * Verification of KZG proofs (EIP-4844), about 30 ms each. Malformed input verifies nothing: the answer is false.
 * Blobs are 131072 bytes, commitments and proofs 48, field elements 32.
 */
export interface KzgVerifier {
  /** Tells whether a proof holds for a blob and its commitment (geth: `VerifyBlobProof`). */
  verifyBlob(blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array): boolean;
  /** Tells whether the committed polynomial has value `y` at `z` (geth: `VerifyProof`): the check of the precompile. */
  verifyPoint(commitment: Uint8Array, z: Uint8Array, y: Uint8Array, proof: Uint8Array): boolean;
}

let verifier: Promise<KzgVerifier> | undefined;
let prover: Promise<KzgProver> | undefined;

/**
 * Loads the verifier, once.
 * No other file of this folder may be imported at the start of a program: their code takes long to load.
 */
export function loadKzgVerifier(): Promise<KzgVerifier> {
  verifier ??= import('./library.ts').then(({ verifyBlob, verifyPoint }) => ({ verifyBlob, verifyPoint }));
  return verifier;
}

/** Starts the thread that computes commitments and proofs, once. It does not keep the process alive. */
export function loadKzgProver(): Promise<KzgProver> {
  prover ??= import('./prover.ts').then(({ startProver }) => startProver());
  return prover;
}

/**
 * Computes the versioned hash of a KZG commitment (EIP-4844).
 * Counterpart in geth: `CalcBlobHashV1`, in op-service: `KZGToVersionedHash`.
 */
export function versionedHash(commitment: Uint8Array): Hex {
  const hash = createHash('sha256').update(commitment).digest();
  hash[0] = 1;
  return bytesToHex(hash);
}
