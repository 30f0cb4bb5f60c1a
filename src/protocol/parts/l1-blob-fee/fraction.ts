/** Blob base fee update fractions of Ethereum's forks (EIP-4844, EIP-7691). */
export const CANCUN_UPDATE_FRACTION = 3338477n;
export const PRAGUE_UPDATE_FRACTION = 5007716n;

/** Blob base fee in wei: e^(excess/fraction) by the integer series of EIP-4844, at least 1. */
export function blobBaseFee(excessBlobGas: number | undefined, updateFraction: bigint): bigint {
  if (excessBlobGas === undefined) return 1n;
  const excess = BigInt(excessBlobGas);
  let sum = 0n;
  let term = updateFraction;
  for (let index = 1n; term > 0n; index++) {
    sum += term;
    term = (term * excess) / (updateFraction * index);
  }
  return sum / updateFraction;
}
