import { DEPOSIT_TYPE } from '../../../protocol/codec/deposit.ts';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { GAS_PER_BLOB, nextExcessBlobGas } from '../../../protocol/execution/blob-gas.ts';
import { larger } from '../../../protocol/larger.ts';
import { blobBaseFee } from '../../../protocol/rules/l1-blob-fee/blob-base-fee.ts';
import type { Block } from '../chain/block.ts';
import type { Chain } from '../chain/chain.ts';

/** Minimum suggested tip in wei per gas. */
const MIN_SUGGESTED_TIP = 1_000_000n;

interface Tip {
  readonly tip: bigint;
  readonly gasUsed: bigint;
}

/** Returns the tips of a block's transactions, ascending. Deposits count with a tip of zero, as in both clients. */
function tipsOf(block: Block): Tip[] {
  return block.receipts.receipts
    .map(({ type, effectiveGasPrice, gasUsed }) => ({
      tip: type === DEPOSIT_TYPE ? 0n : effectiveGasPrice - block.header.baseFeePerGas,
      gasUsed,
    }))
    .sort((left, right) => Number(left.tip - right.tip));
}

/**
 * Returns the suggested tip in wei per gas (op-geth: `SuggestOptimismPriorityFee`).
 * It is the minimum, or a tenth above the median of a full last block.
 */
export function suggestedTip(chain: Pick<Chain, 'head' | 'knownBlock'>): bigint {
  const block = chain.knownBlock(chain.head.hash);
  const tips = tipsOf(block);
  const largest = tips.reduce((most, { gasUsed }) => larger(most, gasUsed), 0n);
  if (block.header.gasUsed + largest <= block.header.gasLimit) return MIN_SUGGESTED_TIP;
  const median = tips[tips.length >> 1]?.tip ?? 0n;
  return larger((median * 11n) / 10n, MIN_SUGGESTED_TIP);
}

/** Returns the tips at percentiles of a block's gas (geth: `processBlock`, eth/gasprice/feehistory.go). */
export function rewardsOf(block: Block, percentiles: readonly number[]): bigint[] {
  const tips = tipsOf(block);
  return percentiles.map((percentile) => {
    const threshold = Math.floor((Number(block.header.gasUsed) * percentile) / 100);
    let cumulativeGas = 0n;
    const match = tips.find(({ gasUsed }) => {
      cumulativeGas += gasUsed;
      return cumulativeGas >= threshold;
    });
    return (match ?? tips.at(-1))?.tip ?? 0n;
  });
}

/**
 * Returns the blob base fee of a block and of its child in wei.
 * On a rollup it is the minimum. null: the header has no blob fields yet (EIP-4844).
 */
export function blobFees(
  chain: Pick<Chain, 'rulesAt'>,
  header: BlockHeader,
): { readonly current: bigint; readonly next: bigint } | null {
  if (header.excessBlobGas === undefined) return null;
  const blobs = chain.rulesAt(header.timestamp).ethereum?.blobs;
  if (!blobs) return { current: 1n, next: 1n };
  const fee = (excess: bigint) => blobBaseFee(excess, blobs.updateFraction);
  return { current: fee(header.excessBlobGas), next: fee(nextExcessBlobGas(header, blobs)) };
}

/** Returns the ratio of two amounts of gas as a JSON number. */
export function ratio(part: bigint, whole: bigint): number {
  return Number(part) / Number(whole);
}

/** Returns the share of the block's blob limit that is used. 0 on a rollup. */
export function blobShare(chain: Pick<Chain, 'rulesAt'>, header: BlockHeader): number {
  const blobs = chain.rulesAt(header.timestamp).ethereum?.blobs;
  return blobs ? ratio(header.blobGasUsed ?? 0n, BigInt(blobs.max) * GAS_PER_BLOB) : 0;
}
