import { setImmediate } from 'node:timers/promises';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { G1, type G1Point } from './group.ts';

/** A point by its affine coordinates; points at infinity are left out. */
export interface Affine {
  readonly x: bigint;
  readonly y: bigint;
}

const P = bls12_381.fields.Fp.ORDER;
const SCALAR_BITS = 256;

const mod = (value: bigint): bigint => {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
};

/** Bits of a window that make the fewest additions for this many points. */
function windowFor(count: number): number {
  let best = 2;
  const cost = (bits: number) => Math.ceil(SCALAR_BITS / bits) * (count + 3 * 2 ** (bits - 1));
  for (let bits = 3; bits <= 12; bits++) if (cost(bits) < cost(best)) best = bits;
  return best;
}

/** Digits of a scalar, lowest window first, each from −2^(bits−1) to 2^(bits−1). */
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
 * Computes the multi-scalar multiplication of points and scalars (Pippenger's method).
 * Buckets are summed in affine coordinates with one inversion for each round, in less than half of the time of
 * projective ones. Other work runs between windows.
 */
export async function multiScalar(points: readonly Affine[], scalars: readonly bigint[]): Promise<G1Point> {
  const bits = windowFor(points.length);
  const digits = scalars.map((scalar) => digitsOf(scalar, bits));
  const windows = digits[0]?.length ?? 0;
  let sum = G1.ZERO;
  for (let window = windows - 1; window >= 0; window--) {
    for (let bit = 0; bit < bits; bit++) sum = sum.double();
    const buckets: Affine[][] = Array.from({ length: 2 ** (bits - 1) + 1 }, () => []);
    for (const [at, { x, y }] of points.entries()) {
      const digit = digits[at]![window]!;
      if (digit > 0) buckets[digit]!.push({ x, y });
      else if (digit < 0) buckets[-digit]!.push({ x, y: P - y });
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
      const next: Affine[] = bucket.length % 2 === 1 ? [bucket.at(-1)!] : [];
      for (let first = 0; first + 1 < bucket.length; first += 2)
        pairs.push({ left: bucket[first]!, right: bucket[first + 1]!, into: next });
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
  const parts = pairs.map(({ left, right }) => {
    if (left.x !== right.x) return { over: right.y - left.y, under: right.x - left.x };
    return left.y === right.y ? { over: 3n * left.x * left.x, under: 2n * left.y } : undefined;
  });
  const products: bigint[] = [];
  let product = 1n;
  for (const part of parts) {
    products.push(product);
    if (part !== undefined) product = mod(product * part.under);
  }
  let inverse = bls12_381.fields.Fp.inv(product);
  const slopes: (bigint | undefined)[] = new Array(parts.length);
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at];
    if (part === undefined) continue;
    slopes[at] = mod(mod(inverse * products[at]!) * part.over);
    inverse = mod(inverse * part.under);
  }
  return slopes;
}

/** Sum of the buckets' points, each times its bucket's number. */
function weighted(buckets: readonly (readonly Affine[])[]): G1Point {
  let running = G1.ZERO;
  let sum = G1.ZERO;
  for (let at = buckets.length - 1; at > 0; at--) {
    const point = buckets[at]![0];
    if (point !== undefined) running = running.add(new G1(point.x, point.y, 1n));
    sum = sum.add(running);
  }
  return sum;
}
