import type { Fees } from './transaction.ts';

/** What L1 asks now, wei per gas. */
export interface Market {
  readonly baseFee: bigint;
  readonly tip: bigint;
  readonly blobBaseFee: bigint;
}

/** Lowest tip and blob fee cap offered, wei. */
const MIN_TIP = 1_000_000n;
const MIN_BLOB_FEE = 1_000_000_000n;

/** Fees that stay good while base fee and blob base fee double. */
export function suggestFees({ baseFee, tip, blobBaseFee }: Market): Fees {
  const maxPriorityFeePerGas = max(tip, MIN_TIP);
  return {
    maxPriorityFeePerGas,
    maxFeePerGas: baseFee * 2n + maxPriorityFeePerGas,
    maxFeePerBlobGas: max(blobBaseFee * 2n, MIN_BLOB_FEE),
  };
}

/** Least rise that pools accept of a transaction that takes another's place, percent: without and with blobs. */
const BUMP = { plain: 10n, blobs: 100n };

/** Fees that may replace `old`: what the market asks now, at least the rise that pools demand. */
export function bumpFees(old: Fees, market: Fees, hasBlobs: boolean): Fees {
  const percent = 100n + (hasBlobs ? BUMP.blobs : BUMP.plain);
  const raised = (fee: bigint) => (fee * percent + 99n) / 100n;
  return {
    maxPriorityFeePerGas: max(raised(old.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
    maxFeePerGas: max(raised(old.maxFeePerGas), market.maxFeePerGas),
    maxFeePerBlobGas: max(raised(old.maxFeePerBlobGas), market.maxFeePerBlobGas),
  };
}

/** Whether fees pass the market's by more than a factor, past which waiting is better than paying. */
export function exceeds(fees: Fees, market: Fees, factor: number): boolean {
  const limit = BigInt(factor);
  return fees.maxFeePerGas > market.maxFeePerGas * limit || fees.maxFeePerBlobGas > market.maxFeePerBlobGas * limit;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
