import { weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { bn254 } from '@noble/curves/bn254.js';
import type { Resumable } from '../../../protocol/resumable.ts';
import { PrecompileFailure } from '../shared/failure.ts';
import { inputWord } from '../shared/input.ts';
import { pairingCheckOf } from '../shared/pairing.ts';
import { G1_BYTES, G2_BYTES } from './gas.ts';
import { decodeG1, decodeG2, encodeG1 } from './points.ts';

const { Fp, Fp12, Fr } = bn254.fields;
const PAIR_BYTES = G1_BYTES + G2_BYTES;

/**
 * Maps (x, y) to (βx, y) in products, which halves their doublings. Here β is a cube root of 1.
 * The basis has the shortest vectors of the lattice of the eigenvalue.
 */
const FastG1 = weierstrass(bn254.G1.Point.CURVE(), {
  ...{ Fp, Fn: Fr, allowInfinityPoint: true },
  endo: {
    beta: 2203960485148121921418603742825762020974279258880205651966n,
    basises: [
      [147946756881789319010696353538189108491n, 9931322734385697763n],
      [-9931322734385697763n, 147946756881789319000765030803803410728n],
    ],
  },
});

/** BN254_ADD (EIP-196): the sum of two points. Missing bytes are zeros, and further bytes are ignored. */
export function bn254Add(input: Uint8Array): Uint8Array {
  return encodeG1(decodeG1(input, 0).add(decodeG1(input, G1_BYTES)));
}

/** BN254_MUL (EIP-196): a point times a word. Missing bytes are zeros, and further bytes are ignored. */
export function bn254Multiply(input: Uint8Array): Uint8Array {
  const point = FastG1.fromAffine(decodeG1(input, 0).toAffine());
  return encodeG1(point.multiplyUnsafe(inputWord(input, G1_BYTES) % Fr.ORDER));
}

/** BN254_PAIRING (EIP-197): whether the product of the pairings is 1. */
export function bn254Pairing(input: Uint8Array): Uint8Array | Resumable<Uint8Array> {
  if (input.length % PAIR_BYTES !== 0) throw new PrecompileFailure('bad elliptic curve pairing size');
  return checkProduct(input);
}

const checkProduct = pairingCheckOf(Fp12, PAIR_BYTES, productOf);

/** Multiplies what the Miller loop makes of pairs. */
function productOf(input: Uint8Array): typeof Fp12.ONE {
  const pairs = [];
  for (let at = 0; at < input.length; at += PAIR_BYTES) {
    const pair = { g1: decodeG1(input, at), g2: decodeG2(input, at + G1_BYTES) };
    if (!pair.g1.is0() && !pair.g2.is0()) pairs.push(pair);
  }
  return pairs.length === 0 ? Fp12.ONE : bn254.pairingBatch(pairs, false);
}
