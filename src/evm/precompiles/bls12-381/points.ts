import type { AffinePoint } from '@noble/curves/abstract/curve.js';
import type { Fp2 as Fp2Element } from '@noble/curves/abstract/tower.js';
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { concat } from '../../../protocol/bytes.ts';
import { isOnCurve } from '../shared/curve-equation.ts';
import { PrecompileFailure } from '../shared/failure.ts';
import { isZero } from '../shared/input.ts';
import { bytesOf, numberOf } from '../shared/numbers.ts';
import { G1_BYTES, G2_BYTES } from './gas.ts';

const { Fp, Fp2 } = bls12_381.fields;
const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const G1_CURVE = { field: Fp, b: G1.CURVE().b };
const G2_CURVE = { field: Fp2, b: G2.CURVE().b };
/** Zeros before the 48 bytes of a field element. */
const TOP_BYTES = 16;

/** Bytes of a field element. */
export const FIELD_BYTES = 64;

/** One of the two groups: size, encoding and order of its points (EIP-2537). */
export interface Group<Coordinate> {
  readonly bytes: number;
  readonly zero: WeierstrassPoint<Coordinate>;
  /**
   * Decodes a point of the curve, in the subgroup or not. Zeros are the point at infinity.
   * @throws PrecompileFailure
   */
  decode(bytes: Uint8Array): WeierstrassPoint<Coordinate>;
  /** Decodes a point of the subgroup. @throws PrecompileFailure */
  decodeMember(bytes: Uint8Array): WeierstrassPoint<Coordinate>;
  encode(point: AffinePoint<Coordinate>): Uint8Array;
}

/** Decodes a field element: 16 zeros, 48 bytes. @throws PrecompileFailure */
export function decodeField(bytes: Uint8Array, at: number): bigint {
  if (!isZero(bytes.subarray(at, at + TOP_BYTES))) throw new PrecompileFailure('invalid field element top bytes');
  const value = numberOf(bytes.subarray(at + TOP_BYTES, at + FIELD_BYTES));
  if (value >= Fp.ORDER) throw new PrecompileFailure('invalid fp.Element encoding');
  return value;
}

/** Decodes an element of the extension field: real part, imaginary part. @throws PrecompileFailure */
export function decodeField2(bytes: Uint8Array, at: number): Fp2Element {
  return Fp2.create({ c0: decodeField(bytes, at), c1: decodeField(bytes, at + FIELD_BYTES) });
}

/** The group over the field. */
export const FIRST_GROUP: Group<bigint> = {
  bytes: G1_BYTES,
  zero: G1.ZERO,
  decode(bytes) {
    const [x, y] = [decodeField(bytes, 0), decodeField(bytes, FIELD_BYTES)];
    if (x === 0n && y === 0n) return G1.ZERO;
    if (!isOnCurve(G1_CURVE, x, y)) throw new PrecompileFailure('invalid point: not on curve');
    return G1.fromAffine({ x, y });
  },
  decodeMember: (bytes) => member(FIRST_GROUP.decode(bytes), 'g1 point is not on correct subgroup'),
  encode({ x, y }) {
    return concat(bytesOf(x, FIELD_BYTES), bytesOf(y, FIELD_BYTES));
  },
};

/** The group over the extension field. */
export const SECOND_GROUP: Group<Fp2Element> = {
  bytes: G2_BYTES,
  zero: G2.ZERO,
  decode(bytes) {
    const [x, y] = [decodeField2(bytes, 0), decodeField2(bytes, 2 * FIELD_BYTES)];
    if (Fp2.is0(x) && Fp2.is0(y)) return G2.ZERO;
    if (!isOnCurve(G2_CURVE, x, y)) throw new PrecompileFailure('invalid point: not on curve');
    return G2.fromAffine({ x, y });
  },
  decodeMember: (bytes) => member(SECOND_GROUP.decode(bytes), 'g2 point is not on correct subgroup'),
  encode({ x, y }) {
    return concat(...[x.c0, x.c1, y.c0, y.c1].map((value) => bytesOf(value, FIELD_BYTES)));
  },
};

/** Checks that a point of the curve is in the subgroup. The point remembers it, which the pairing asks again. */
function member<Coordinate>(
  point: WeierstrassPoint<Coordinate>,
  reason: `g${1 | 2} point is not on correct subgroup`,
): WeierstrassPoint<Coordinate> {
  try {
    point.assertValidity();
    return point;
  } catch {
    throw new PrecompileFailure(reason);
  }
}
