import { G1_DISCOUNTS, G2_DISCOUNTS } from './discounts.ts';

/** Bytes of a point of G1 and of G2 (EIP-2537). */
export const G1_BYTES = 128;
export const G2_BYTES = 256;
/** Bytes of a scalar of a sum of products. */
export const SCALAR_BYTES = 32;

/** Gas of BLS12_G1MSM. */
export const g1MultiScalarGas = multiScalarGas(G1_BYTES, 12_000, G1_DISCOUNTS);
/** Gas of BLS12_G2MSM. */
export const g2MultiScalarGas = multiScalarGas(G2_BYTES, 22_500, G2_DISCOUNTS);

/** Gas of BLS12_PAIRING_CHECK. */
export function pairingGas(input: Uint8Array): bigint {
  return 37_700n + 32_600n * BigInt(Math.floor(input.length / (G1_BYTES + G2_BYTES)));
}

function multiScalarGas(pointBytes: number, multiplication: number, discounts: readonly number[]) {
  return (input: Uint8Array): bigint => {
    const count = Math.floor(input.length / (pointBytes + SCALAR_BYTES));
    const discount = discounts[Math.min(count, discounts.length) - 1] ?? 0;
    return (BigInt(count) * BigInt(multiplication * discount)) / 1000n;
  };
}
