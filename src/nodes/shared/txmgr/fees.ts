import type { Fees } from './transaction.ts';

/** What L1 asks now, wei per gas. */
export interface GasPrices {
  readonly baseFee: bigint;
  readonly tip: bigint;
  readonly blobBaseFee: bigint;
}

/** What an account pays at least and at most, wei per gas. */
export interface FeePolicy {
  /** Base fee that fees are made for at least. */
  readonly minBaseFee: bigint;
  readonly minTip: bigint;
  /** Fees stop rising past this multiple of what the market asks … */
  readonly limitMultiplier: bigint;
  /** … unless they are no higher than this. */
  readonly limitThreshold: bigint;
}

/** Lowest blob fee cap offered, wei. */
const MIN_BLOB_FEE = 1_000_000_000n;

/** Fees that stay good while base fee and blob base fee double. */
export function suggestGasPriceCaps({ baseFee, tip, blobBaseFee }: GasPrices, { minBaseFee, minTip }: FeePolicy): Fees {
  const maxPriorityFeePerGas = max(tip, minTip);
  return {
    maxPriorityFeePerGas,
    maxFeePerGas: max(baseFee, minBaseFee) * 2n + maxPriorityFeePerGas,
    maxFeePerBlobGas: max(blobBaseFee * 2n, MIN_BLOB_FEE),
  };
}

/** Least rise that pools accept of a transaction that takes another's place, percent: without and with blobs. */
const BUMP = { plain: 10n, blobs: 100n };

/** Fees that may replace `old`: what the market asks now, at least the rise that pools demand. */
export function updateFees(old: Fees, market: Fees, hasBlobs: boolean): Fees {
  const percent = 100n + (hasBlobs ? BUMP.blobs : BUMP.plain);
  const raised = (fee: bigint) => (fee * percent + 99n) / 100n;
  return {
    maxPriorityFeePerGas: max(raised(old.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
    maxFeePerGas: max(raised(old.maxFeePerGas), market.maxFeePerGas),
    maxFeePerBlobGas: max(raised(old.maxFeePerBlobGas), market.maxFeePerBlobGas),
  };
}

/** Whether fees pass the market's by more than a policy allows, past which waiting is better than paying. */
export function exceedsLimits(
  fees: Fees,
  market: Fees,
  { limitMultiplier, limitThreshold }: FeePolicy,
  hasBlobs: boolean,
) {
  const passes = (fee: bigint, asked: bigint) => fee > max(asked * limitMultiplier, limitThreshold);
  return (
    passes(fees.maxPriorityFeePerGas, market.maxPriorityFeePerGas) ||
    passes(fees.maxFeePerGas, market.maxFeePerGas) ||
    (hasBlobs && passes(fees.maxFeePerBlobGas, market.maxFeePerBlobGas))
  );
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
