import { setImmediate } from 'node:timers/promises';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { present } from '../../../protocol/present.ts';
import { G1, type G1Point } from './group.ts';

/** A point by its affine coordinates; points at infinity are left out. */
export interface Affine {
  readonly x: bigint;
  readonly y: bigint;
}

/** A summand of a multi-scalar multiplication: a point times a scalar. */
interface Term {
  readonly point: Affine;
  readonly scalar: bigint;
}

const P = bls12_381.fields.Fp.ORDER;
const SCALAR_BITS = 256;

const mod = (value: bigint): bigint => {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
};

/** Returns the bits of a window with the fewest additions for this many points. */
function windowFor(count: number): number {
  let best = 2;
  const cost = (bits: number) => Math.ceil(SCALAR_BITS / bits) * (count + 3 * 2 ** (bits - 1));
  for (let bits = 3; bits <= 12; bits++) if (cost(bits) < cost(best)) best = bits;
  return best;
}

/** Returns the digits of a scalar, lowest window first, each from −2^(bits−1) to 2^(bits−1). */
function digitsOf(scalar: bigint, bits: number): number[] {
  const size = 2 ** bits;
  const mask = BigInt(size - 1);
  const shift = BigInt(bits);
  const digits: number[] = [];
  let carry = 0;
  for (let at = 0; at <= Math.ceil(SCALAR_BITS / bits); at++) {
    const digit = Number(scalar & mask) + carry;
    scalar >>= shift;
    carry = digit > size / 2 ? 1 : 0;
    digits.push(carry === 1 ? digit - size : digit);
  }
  return digits;
}

/**
 * Computes the sum of points times scalars (multi-scalar multiplication, Pippenger's method).
 * Consensus specification: `g1_lincomb`.
 * Buckets are summed in affine coordinates with one inversion for each round, in less than half of the time of
 * projective ones. Other work runs between windows.
 */
export async function multiScalar(terms: readonly Term[]): Promise<G1Point> {
  const bits = windowFor(terms.length);
  const factors = terms.map(({ point, scalar }) => ({ point, digits: digitsOf(scalar, bits) }));
  const windows = factors[0]?.digits.length ?? 0;
  let sum = G1.ZERO;
  for (let window = windows - 1; window >= 0; window--) {
    for (let bit = 0; bit < bits; bit++) sum = sum.double();
    const buckets: Affine[][] = Array.from({ length: 2 ** (bits - 1) + 1 }, () => []);
    for (const { point, digits } of factors) {
      const digit = digits[window] ?? 0;
      const bucket = present(buckets[Math.abs(digit)], 'bucket of a digit');
      if (digit > 0) bucket.push(point);
      else if (digit < 0) bucket.push({ x: point.x, y: P - point.y });
    }
    reduce(buckets);
    sum = sum.add(weighted(buckets));
    await setImmediate();
  }
  return sum;
}

/** Adds up each bucket's points until at most one is left in it. */
function reduce(buckets: Affine[][]): void {
  while (buckets.some((bucket) => bucket.length > 1)) {
    const pairs: { readonly left: Affine; readonly right: Affine; readonly into: Affine[] }[] = [];
    for (const [at, bucket] of buckets.entries()) {
      if (bucket.length < 2) continue;
      const next: Affine[] = [];
      let left: Affine | undefined;
      for (const point of bucket)
        if (left === undefined) left = point;
        else {
          pairs.push({ left, right: point, into: next });
          left = undefined;
        }
      if (left !== undefined) next.push(left);
      buckets[at] = next;
    }
    const slopes = slopesOf(pairs);
    for (const [at, { left, right, into }] of pairs.entries()) {
      const slope = slopes[at];
      // Opposite points: their sum is the point at infinity.
      if (slope === undefined) continue;
      const x = mod(slope * slope - left.x - right.x);
      into.push({ x, y: mod(slope * (left.x - x) - left.y) });
    }
  }
}

/** Computes the slope through both points of each pair, the tangent's for equal points, with a single inversion. */
function slopesOf(pairs: readonly { readonly left: Affine; readonly right: Affine }[]): (bigint | undefined)[] {
  let product = 1n;
  const parts = pairs.map(({ left, right }) => {
    const isTangent = left.x === right.x;
    if (isTangent && left.y !== right.y) return undefined;
    const over = isTangent ? 3n * left.x * left.x : right.y - left.y;
    const under = isTangent ? 2n * left.y : right.x - left.x;
    const before = product;
    product = mod(product * under);
    return { over, under, before };
  });
  let inverse = bls12_381.fields.Fp.inv(product);
  const slopes: (bigint | undefined)[] = new Array(parts.length);
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at];
    if (part === undefined) continue;
    slopes[at] = mod(mod(inverse * part.before) * part.over);
    inverse = mod(inverse * part.under);
  }
  return slopes;
}

/** Returns the sum of the buckets' points, each times its bucket's number. */
function weighted(buckets: readonly (readonly Affine[])[]): G1Point {
  let running = G1.ZERO;
  let sum = G1.ZERO;
  for (let at = buckets.length - 1; at > 0; at--) {
    const point = buckets[at]?.[0];
    if (point !== undefined) running = running.add(new G1(point.x, point.y, 1n));
    sum = sum.add(running);
  }
  return sum;
}
