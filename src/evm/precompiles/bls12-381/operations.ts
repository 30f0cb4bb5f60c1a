import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Resumable } from '../../../protocol/resumable.ts';
import { PrecompileFailure } from '../shared/failure.ts';
import { pairingCheckOf } from '../shared/pairing.ts';
import { decodeField, decodeField2, FIELD_BYTES, FIRST_GROUP, type Group, SECOND_GROUP } from './points.ts';

const { Fp12 } = bls12_381.fields;
const PAIR_BYTES = FIRST_GROUP.bytes + SECOND_GROUP.bytes;

/** BLS12_G1ADD (EIP-2537). The points need not be in the subgroup. */
export const g1Add = adds(FIRST_GROUP);
/** BLS12_G2ADD (EIP-2537). The points need not be in the subgroup. */
export const g2Add = adds(SECOND_GROUP);

function adds<Coordinate>({ bytes, decode, encode }: Group<Coordinate>) {
  return (input: Uint8Array): Uint8Array => {
    if (input.length !== 2 * bytes) throw new PrecompileFailure('invalid input length');
    return encode(
      decode(input.subarray(0, bytes))
        .add(decode(input.subarray(bytes)))
        .toAffine(),
    );
  };
}

/** BLS12_PAIRING_CHECK (EIP-2537): whether the product of the pairings is 1. */
export function pairingCheck(input: Uint8Array): Uint8Array | Resumable<Uint8Array> {
  if (input.length === 0 || input.length % PAIR_BYTES !== 0) throw new PrecompileFailure('invalid input length');
  return checkProduct(input);
}

const checkProduct = pairingCheckOf(Fp12, PAIR_BYTES, productOf);

/** Multiplies what the Miller loop makes of pairs. */
function productOf(input: Uint8Array): typeof Fp12.ONE {
  const pairs = [];
  for (let at = 0; at < input.length; at += PAIR_BYTES) {
    const second = at + FIRST_GROUP.bytes;
    const g1 = FIRST_GROUP.decodeMember(input.subarray(at, second));
    const g2 = SECOND_GROUP.decodeMember(input.subarray(second, at + PAIR_BYTES));
    if (!g1.is0() && !g2.is0()) pairs.push({ g1, g2 });
  }
  return pairs.length === 0 ? Fp12.ONE : bls12_381.pairingBatch(pairs, false);
}

/** BLS12_MAP_FP_TO_G1 (EIP-2537). */
export function mapToG1(input: Uint8Array): Uint8Array {
  if (input.length !== FIELD_BYTES) throw new PrecompileFailure('invalid input length');
  const { G1 } = bls12_381;
  // The library declares a list of one element, and takes the element alone.
  return FIRST_GROUP.encode(Reflect.apply(G1.mapToCurve, G1, [decodeField(input, 0)]));
}

/** BLS12_MAP_FP2_TO_G2 (EIP-2537). */
export function mapToG2(input: Uint8Array): Uint8Array {
  if (input.length !== 2 * FIELD_BYTES) throw new PrecompileFailure('invalid input length');
  const { c0, c1 } = decodeField2(input, 0);
  return SECOND_GROUP.encode(bls12_381.G2.mapToCurve([c0, c1]));
}
