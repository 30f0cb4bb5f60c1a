import type { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Resumable } from '../../../protocol/resumable.ts';
import { truth } from './input.ts';

/** Pairs of a step. */
const STEP_PAIRS = 4;

/** The field in which the pairings of a curve are multiplied. */
type PairingField = typeof bls12_381.fields.Fp12;
type Product = PairingField['ONE'];

/**
 * Returns what checks whether the product of the pairings of an input is 1. A long input takes steps.
 * `productOf` multiplies what the Miller loop makes of pairs. @throws PrecompileFailure
 */
export function pairingCheckOf(
  field: PairingField,
  pairBytes: number,
  productOf: (input: Uint8Array) => Product,
): (input: Uint8Array) => Uint8Array | Resumable<Uint8Array> {
  const stepBytes = STEP_PAIRS * pairBytes;
  const isOne = (product: Product) => truth(field.eql(field.finalExponentiate(product), field.ONE));
  function* inSteps(input: Uint8Array): Resumable<Uint8Array> {
    let product = field.ONE;
    for (let at = 0; at < input.length; at += stepBytes) {
      product = field.mul(product, productOf(input.subarray(at, at + stepBytes)));
      yield;
    }
    return isOne(product);
  }
  return (input) => (input.length > stepBytes ? inSteps(input) : isOne(productOf(input)));
}
