import { bls12_381 } from '@noble/curves/bls12-381.js';
import { hexToBytes } from '../../../protocol/hex.ts';

/** Group of commitments and proofs. */
export const G1 = bls12_381.G1.Point;
/** Second group of the pairing. */
export const G2 = bls12_381.G2.Point;
/** A point of G1. */
export type G1Point = InstanceType<typeof G1>;

/**
 * The ceremony's secret times G2's generator (mainnet trusted setup, second G2 point).
 * Verification needs no other point of the setup.
 */
const SECRET_G2 =
  '0xb5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2';

let secret: InstanceType<typeof G2> | undefined;

/** Returns the decoded point, decoded at the first call. */
export function secretG2(): InstanceType<typeof G2> {
  secret ??= G2.fromBytes(hexToBytes(SECRET_G2));
  return secret;
}
