import type { Fees } from './transaction.ts';

/** Current prices on L1, wei per gas. */
export interface GasPrices {
  readonly baseFee: bigint;
  readonly tip: bigint;
  readonly blobBaseFee: bigint;
}

/** Fee limits, wei per gas. */
export interface FeePolicy {
  /** Lowest base fee in the calculation of fee caps. */
  readonly minBaseFee: bigint;
  readonly minTip: bigint;
  /** Fees do not rise above this multiple of the current price. */
  readonly limitMultiplier: bigint;
  /** Fees up to this value may rise above the multiple. */
  readonly limitThreshold: bigint;
}

/** Lowest blob fee cap, wei. */
const MIN_BLOB_FEE = 1_000_000_000n;

/**
 * Returns fee caps that stay valid while base fee and blob base fee double (op-service: `SuggestGasPriceCaps`).
 * Counterpart of the sums in op-service: `calcGasFeeCap`, `calcBlobFeeCap`.
 */
export function suggestGasPriceCaps({ baseFee, tip, blobBaseFee }: GasPrices, { minBaseFee, minTip }: FeePolicy): Fees {
  const maxPriorityFeePerGas = max(tip, minTip);
  return {
    maxPriorityFeePerGas,
    maxFeePerGas: max(baseFee, minBaseFee) * 2n + maxPriorityFeePerGas,
    maxFeePerBlobGas: max(blobBaseFee * 2n, MIN_BLOB_FEE),
  };
}

/** Minimum price bump (percent) of a replacement in pools (op-service: `priceBump`, `blobPriceBump`). */
const PRICE_BUMP_PERCENT = { plain: 10n, blobs: 100n };

/** Returns fees of a replacement: the current price, and at least the minimum bump (op-service: `updateFees`). */
export function updateFees(old: Fees, market: Fees, hasBlobs: boolean): Fees {
  const percent = 100n + (hasBlobs ? PRICE_BUMP_PERCENT.blobs : PRICE_BUMP_PERCENT.plain);
  const raised = (fee: bigint) => (fee * percent + 99n) / 100n;
  return {
    maxPriorityFeePerGas: max(raised(old.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
    maxFeePerGas: max(raised(old.maxFeePerGas), market.maxFeePerGas),
    maxFeePerBlobGas: max(raised(old.maxFeePerBlobGas), market.maxFeePerBlobGas),
  };
}

/** Tells whether fees exceed the policy's limits (op-service: `checkLimits`, `checkBlobFeeLimits`). */
export function exceedsLimits(
  fees: Fees,
  market: Fees,
  { limitMultiplier, limitThreshold }: FeePolicy,
  hasBlobs: boolean,
) {
  const passes = (fee: bigint, marketFee: bigint) => fee > max(marketFee * limitMultiplier, limitThreshold);
  return (
    passes(fees.maxPriorityFeePerGas, market.maxPriorityFeePerGas) ||
    passes(fees.maxFeePerGas, market.maxFeePerGas) ||
    (hasBlobs && passes(fees.maxFeePerBlobGas, market.maxFeePerBlobGas))
  );
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
