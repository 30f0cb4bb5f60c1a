/** Blob base fee update fractions of Ethereum's forks (EIP-4844, EIP-7691). */
export const CANCUN_UPDATE_FRACTION = 3338477n;
export const PRAGUE_UPDATE_FRACTION = 5007716n;

/** Blob base fee in wei that an L1 header makes. */
export function blobBaseFeeOf({ excessBlobGas }: { readonly excessBlobGas?: number }, updateFraction: bigint): bigint {
  return blobBaseFee(excessBlobGas === undefined ? undefined : BigInt(excessBlobGas), updateFraction);
}

/** Blob base fee in wei: e^(excess/fraction) by the integer series of EIP-4844, at least 1. */
export function blobBaseFee(excessBlobGas: bigint | undefined, updateFraction: bigint): bigint {
  if (excessBlobGas === undefined) return 1n;
  let sum = 0n;
  let term = updateFraction;
  for (let index = 1n; term > 0n; index++) {
    sum += term;
    term = (term * excessBlobGas) / (updateFraction * index);
  }
  return sum / updateFraction;
}
