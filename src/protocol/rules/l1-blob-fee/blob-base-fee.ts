/** Blob base fee update fractions of Ethereum's forks (EIP-4844, EIP-7691). */
export const CANCUN_UPDATE_FRACTION = 3338477n;
export const PRAGUE_UPDATE_FRACTION = 5007716n;

/** Blob base fee in wei that an L1 header makes. */
export function blobBaseFeeOf({ excessBlobGas }: { readonly excessBlobGas?: number }, updateFraction: bigint): bigint {
  return blobBaseFee(excessBlobGas === undefined ? undefined : BigInt(excessBlobGas), updateFraction);
}

/** Most wei that the EVM's words and the L1 attributes can hold. */
const MAX_FEE = (1n << 256n) - 1n;

/**
 * Blob base fee in wei: e^(excess/fraction) by the integer series of EIP-4844, at least 1 and at most 2^256 - 1.
 * Without an upper limit the series of an excess near 2^64 does not end in a lifetime.
 */
export function blobBaseFee(excessBlobGas: bigint | undefined, updateFraction: bigint): bigint {
  if (excessBlobGas === undefined) return 1n;
  const most = MAX_FEE * updateFraction;
  let sum = 0n;
  let term = updateFraction;
  for (let index = 1n; term > 0n; index++) {
    sum += term;
    if (sum >= most) return MAX_FEE;
    term = (term * excessBlobGas) / (updateFraction * index);
  }
  return sum / updateFraction;
}
