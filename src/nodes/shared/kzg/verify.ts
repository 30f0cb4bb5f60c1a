import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { toBigInt, uintBe } from '../../../protocol/bytes.ts';
import { blobValues, evaluate, FIELD_ELEMENTS_PER_BLOB, Fr, fieldElement } from './field.ts';
import { G1, type G1Point, G2, secretG2 } from './group.ts';

/**
 * Tells whether a proof holds for a blob and its commitment (consensus specification: `verify_blob_kzg_proof`).
 * @throws Error on malformed input
 */
export function verifyBlob(blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array): boolean {
  const z = challenge(blob, commitment);
  return holds(point(commitment), z, evaluate(blobValues(blob), z), point(proof));
}

/**
 * Tells whether the committed polynomial has value `y` at `z` (consensus specification: `verify_kzg_proof`).
 * @throws Error on malformed input
 */
export function verifyPoint(commitment: Uint8Array, z: Uint8Array, y: Uint8Array, proof: Uint8Array): boolean {
  return holds(point(commitment), fieldElement(z), fieldElement(y), point(proof));
}

/** Reads a point of G1. @throws Error where the 48 bytes are none */
function point(bytes: Uint8Array): G1Point {
  const decoded = G1.fromBytes(bytes);
  decoded.assertValidity();
  return decoded;
}

const DOMAIN = new TextEncoder().encode('FSBLOBVERIFY_V1_');

/** Returns the point at which a blob's proof is made (consensus specification: `compute_challenge`). */
export function challenge(blob: Uint8Array, commitment: Uint8Array): bigint {
  const hash = createHash('sha256')
    .update(DOMAIN)
    .update(uintBe(FIELD_ELEMENTS_PER_BLOB, 16))
    .update(blob)
    .update(commitment)
    .digest();
  return toBigInt(hash) % Fr.ORDER;
}

/** Tells whether e(C − y·G1, −G2) · e(proof, (s − z)·G2) = 1. */
function holds(commitment: G1Point, z: bigint, y: bigint, proof: G1Point): boolean {
  const left = commitment.subtract(times(G1, y));
  const right = secretG2().subtract(times(G2, z));
  const pairs = [
    { g1: left, g2: G2.BASE.negate() },
    { g1: proof, g2: right },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  const { Fp12 } = bls12_381.fields;
  return pairs.length === 0 || Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE);
}

/** Returns the generator times a scalar that may be zero. */
function times<Point extends { multiplyUnsafe(scalar: bigint): Point }>(
  group: { readonly BASE: Point; readonly ZERO: Point },
  scalar: bigint,
): Point {
  return scalar === 0n ? group.ZERO : group.BASE.multiplyUnsafe(scalar);
}
