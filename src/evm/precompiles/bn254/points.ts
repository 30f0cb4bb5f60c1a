import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bn254 } from '@noble/curves/bn254.js';
import { concat } from '../../../protocol/bytes.ts';
import { isOnCurve } from '../shared/curve-equation.ts';
import { PrecompileFailure } from '../shared/failure.ts';
import { inputBytes, isZero } from '../shared/input.ts';
import { bytesOf, numberOf } from '../shared/numbers.ts';
import { G1_BYTES, G2_BYTES } from './gas.ts';

const { Fp, Fp2 } = bn254.fields;
const G1 = bn254.G1.Point;
const G2 = bn254.G2.Point;
const COORDINATE_BYTES = 32;
const G1_CURVE = { field: Fp, b: G1.CURVE().b };
const G2_CURVE = { field: Fp2, b: G2.CURVE().b };

/** A point of G1. */
export type G1Point = WeierstrassPoint<bigint>;
/** A point of G2. */
export type G2Point = typeof G2.BASE;

/** Decodes a point of G1: x, y (EIP-196). Zeros are the point at infinity. @throws PrecompileFailure */
export function decodeG1(input: Uint8Array, at: number): G1Point {
  const bytes = inputBytes(input, at, G1_BYTES);
  if (isZero(bytes)) return G1.ZERO;
  const [x, y] = [coordinate(bytes, 0), coordinate(bytes, 1)];
  if (!isOnCurve(G1_CURVE, x, y)) throw new PrecompileFailure('bn256: malformed point');
  return G1.fromAffine({ x, y });
}

/** Encodes a point of G1. */
export function encodeG1(point: G1Point): Uint8Array {
  const { x, y } = point.toAffine();
  return concat(bytesOf(x, COORDINATE_BYTES), bytesOf(y, COORDINATE_BYTES));
}

/**
 * Decodes a point of G2: x, y, each with the imaginary part first (EIP-197). Zeros are the point at infinity.
 * @throws PrecompileFailure if it is no point, or not in the subgroup
 */
export function decodeG2(input: Uint8Array, at: number): G2Point {
  const bytes = inputBytes(input, at, G2_BYTES);
  if (isZero(bytes)) return G2.ZERO;
  const x = Fp2.create({ c0: coordinate(bytes, 1), c1: coordinate(bytes, 0) });
  const y = Fp2.create({ c0: coordinate(bytes, 3), c1: coordinate(bytes, 2) });
  if (!isOnCurve(G2_CURVE, x, y)) throw new PrecompileFailure('bn256: malformed point');
  const point = G2.fromAffine({ x, y });
  try {
    // It remembers that the point is valid, which the pairing asks again.
    point.assertValidity();
  } catch {
    throw new PrecompileFailure('bn256: malformed point');
  }
  return point;
}

function coordinate(bytes: Uint8Array, index: number): bigint {
  const value = numberOf(bytes.subarray(index * COORDINATE_BYTES, (index + 1) * COORDINATE_BYTES));
  if (value >= Fp.ORDER) throw new PrecompileFailure('bn256: coordinate exceeds modulus');
  return value;
}
