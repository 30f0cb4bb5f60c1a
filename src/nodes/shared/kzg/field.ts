import { bls12_381 } from '@noble/curves/bls12-381.js';
import { toBigInt } from '../../../protocol/bytes.ts';
import { present } from '../../../protocol/present.ts';

/**
 * Scalar field of BLS12-381, and polynomials by their values at the 4096th roots of unity.
 * The values are in bit-reversed order, as in blobs.
 */
export const Fr = bls12_381.fields.Fr;

/** Field elements of a blob (EIP-4844). */
export const FIELD_ELEMENTS_PER_BLOB = 4096;
const BYTES_PER_BLOB = FIELD_ELEMENTS_PER_BLOB * 32;
const BITS = 12;
/** Generator of the field's multiplicative group (consensus specification: PRIMITIVE_ROOT_OF_UNITY). */
const PRIMITIVE_ROOT = 7n;

/** Returns the index with its 12 bits in reverse (consensus specification: `bit_reversal_permutation`). */
export function bitReversed(index: number): number {
  let reversed = 0;
  for (let bit = 0; bit < BITS; bit++) reversed |= ((index >> bit) & 1) << (BITS - 1 - bit);
  return reversed;
}

let domain: readonly bigint[] | undefined;

/** Returns the roots of unity in bit-reversed order (consensus specification: `compute_roots_of_unity`). */
function roots(): readonly bigint[] {
  if (domain !== undefined) return domain;
  const root = Fr.pow(PRIMITIVE_ROOT, (Fr.ORDER - 1n) / BigInt(FIELD_ELEMENTS_PER_BLOB));
  const ordered = new Array<bigint>(FIELD_ELEMENTS_PER_BLOB).fill(0n);
  let power = 1n;
  for (let index = 0; index < FIELD_ELEMENTS_PER_BLOB; index++) {
    ordered[bitReversed(index)] = power;
    power = Fr.mul(power, root);
  }
  domain = ordered;
  return domain;
}

/**
 * Reads a canonical field element (consensus specification: `bytes_to_bls_field`).
 * @throws RangeError where the bytes are not 32 or reach the field's order
 */
export function fieldElement(bytes: Uint8Array): bigint {
  const value = toBigInt(bytes);
  if (bytes.length !== 32 || value >= Fr.ORDER)
    throw new RangeError(`no canonical field element: ${bytes.length} bytes, value ${value}`);
  return value;
}

/**
 * Returns the values of a blob (consensus specification: `blob_to_polynomial`).
 * @throws RangeError where it is not 131072 bytes of canonical field elements
 */
export function blobValues(blob: Uint8Array): readonly bigint[] {
  if (blob.length !== BYTES_PER_BLOB)
    throw new RangeError(`a blob has ${BYTES_PER_BLOB} bytes, this one has ${blob.length}`);
  return Array.from({ length: FIELD_ELEMENTS_PER_BLOB }, (_, at) => fieldElement(blob.subarray(at * 32, at * 32 + 32)));
}

/**
 * Returns the value of the polynomial at `z`, by the barycentric formula.
 * Consensus specification: `evaluate_polynomial_in_evaluation_form`.
 */
export function evaluate(values: readonly bigint[], z: bigint): bigint {
  const domain = roots();
  const at = domain.indexOf(z);
  if (at >= 0) return values[at] ?? 0n;
  const terms = domain.flatMap((root, index) => {
    const value = values[index] ?? 0n;
    return value === 0n ? [] : [{ root, product: Fr.mul(value, root) }];
  });
  const inverses = Fr.invertBatch(terms.map(({ root }) => Fr.sub(z, root)));
  let sum = 0n;
  for (const [index, { product }] of terms.entries())
    sum = Fr.add(sum, Fr.mul(product, present(inverses[index], 'inverse')));
  const size = BigInt(FIELD_ELEMENTS_PER_BLOB);
  return Fr.mul(Fr.mul(sum, Fr.sub(Fr.pow(z, size), 1n)), Fr.inv(size));
}

/**
 * Returns the values of `(p(X) − y) / (X − z)`, where `y` is p(z) and `z` is no root of unity.
 * Consensus specification: `compute_kzg_proof_impl`.
 */
export function quotient(values: readonly bigint[], z: bigint, y: bigint): readonly bigint[] {
  const inverses = Fr.invertBatch(roots().map((root) => Fr.sub(root, z)));
  return values.map((value, index) => Fr.mul(Fr.sub(value, y), present(inverses[index], 'inverse')));
}
