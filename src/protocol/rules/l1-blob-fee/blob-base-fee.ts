/** Blob base fee update fractions of Ethereum's forks (EIP-4844, EIP-7691). */
export const CANCUN_UPDATE_FRACTION = 3338477n;
export const PRAGUE_UPDATE_FRACTION = 5007716n;

/** Computes the blob base fee (wei) of an L1 header (geth: `CalcBlobFee`, alloy: `calc_blob_fee`). */
export function blobBaseFeeOf({ excessBlobGas }: { readonly excessBlobGas?: number }, updateFraction: bigint): bigint {
  return blobBaseFee(excessBlobGas === undefined ? undefined : BigInt(excessBlobGas), updateFraction);
}

/** Most wei that fit the EVM's words and the L1 attributes. */
const MAX_FEE = (1n << 256n) - 1n;

/**
 * Computes the blob base fee (wei): e^(excess/fraction) by the integer series of EIP-4844.
 * It is at least 1 and at most 2^256 - 1. Without an upper limit the series of an excess near 2^64 does not end in
 * practice. Counterparts: `fakeExponential` (geth), `fake_exponential` (revm).
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
