/** Bytes of a point of G1 and of G2 (EIP-197). */
export const G1_BYTES = 64;
export const G2_BYTES = 128;

/** Gas of BN254_PAIRING by EIP-1108. */
export function bn254PairingGas(input: Uint8Array): bigint {
  return 45_000n + 34_000n * BigInt(Math.floor(input.length / (G1_BYTES + G2_BYTES)));
}
