import { setImmediate } from 'node:timers/promises';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bitReversed, FIELD_ELEMENTS_PER_BLOB } from './field.ts';
import type { Affine } from './msm.ts';

const { Fp } = bls12_381.fields;
const X_MASK = (1n << 381n) - 1n;
const points: Affine[] = [];
/** Points decompressed in one turn of the event loop. */
const SLICE = 64;

/** Compressed Lagrange points of the setup, natural order, one hex text. */
let compressed: string | undefined;

/**
 * Returns the first `count` Lagrange points in bit-reversed order, decompressed at first use: most blobs need few.
 * They are not checked: they are constants of this package.
 */
export async function lagrangePoints(count: number): Promise<readonly Affine[]> {
  if (compressed === undefined) throw new Error('the trusted setup is not loaded');
  while (points.length < Math.min(count, FIELD_ELEMENTS_PER_BLOB)) {
    const at = bitReversed(points.length) * 96;
    points.push(decompress(BigInt('0x' + compressed.slice(at, at + 96))));
    if (points.length % SLICE === 0) await setImmediate();
  }
  return points;
}

function decompress(bits: bigint): Affine {
  const x = bits & X_MASK;
  const isLarger = ((bits >> 381n) & 1n) === 1n;
  const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n));
  return { x, y: y * 2n > Fp.ORDER === isLarger ? y : Fp.neg(y) };
}

/** Loads the Lagrange points' compressed text. */
export async function loadSetup(): Promise<void> {
  compressed ??= (await import('../../../../node_modules/kzg-wasm/dist/esm/trustedSetup.js')).default.g1_lagrange;
}
