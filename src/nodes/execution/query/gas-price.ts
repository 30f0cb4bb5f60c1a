import { DEPOSIT_TYPE } from '../../../protocol/codec/deposit.ts';
import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { GAS_PER_BLOB, nextExcessBlobGas } from '../../../protocol/execution/blob-gas.ts';
import { larger } from '../../../protocol/larger.ts';
import { blobBaseFee } from '../../../protocol/rules/l1-blob-fee/blob-base-fee.ts';
import type { Block, Chain } from '../chain/chain.ts';

/** Least tip that is suggested, wei per gas. */
const LEAST_TIP = 1_000_000n;

interface Paid {
  readonly tip: bigint;
  readonly gasUsed: bigint;
}

/** Tips of a block's transactions, ascending. Deposits are among them, with none: so count both clients. */
function tipsOf(block: Block): Paid[] {
  return block.receipts.receipts
    .map(({ type, effectiveGasPrice, gasUsed }) => ({
      tip: type === DEPOSIT_TYPE ? 0n : effectiveGasPrice - block.header.baseFeePerGas,
      gasUsed,
    }))
    .sort((left, right) => (left.tip < right.tip ? -1 : left.tip > right.tip ? 1 : 0));
}

/** wei per gas: the minimum, or where the last block had no room for one more transaction a tenth above its median. */
export function suggestedTip(chain: Chain): bigint {
  const block = chain.block(chain.head.hash)!;
  const tips = tipsOf(block);
  const largest = tips.reduce((most, { gasUsed }) => larger(most, gasUsed), 0n);
  if (tips.length === 0 || block.header.gasUsed + largest <= block.header.gasLimit) return LEAST_TIP;
  const median = (tips[tips.length >> 1]!.tip * 11n) / 10n;
  return median > LEAST_TIP ? median : LEAST_TIP;
}

/** Tips at the percentiles of a block's gas. */
export function rewardsOf(block: Block, percentiles: readonly number[]): bigint[] {
  const tips = tipsOf(block);
  return percentiles.map((percentile) => {
    const threshold = Math.floor((Number(block.header.gasUsed) * percentile) / 100);
    let seen = 0n;
    const found = tips.find(({ gasUsed }) => {
      seen += gasUsed;
      return seen >= threshold;
    });
    return (found ?? tips.at(-1))?.tip ?? 0n;
  });
}

/** wei per blob gas in a block and in its child: the minimum on a rollup, null before blocks say what blobs there were (EIP-4844). */
export function blobFees(chain: Chain, header: BlockHeader): { readonly own: bigint; readonly next: bigint } | null {
  if (header.excessBlobGas === undefined) return null;
  const blobs = chain.rulesAt(header.timestamp).ethereum?.blobs;
  if (!blobs) return { own: 1n, next: 1n };
  const fee = (excess: bigint) => blobBaseFee(excess, blobs.updateFraction);
  return { own: fee(header.excessBlobGas), next: fee(nextExcessBlobGas(header, blobs)) };
}

/** One amount of gas over another, as a JSON number. */
export function ratio(part: bigint, whole: bigint): number {
  return Number(part) / Number(whole);
}

/** How much of the blobs that it may hold a block has; 0 on a rollup. */
export function blobShare(chain: Chain, header: BlockHeader): number {
  const blobs = chain.rulesAt(header.timestamp).ethereum?.blobs;
  return blobs ? ratio(header.blobGasUsed ?? 0n, BigInt(blobs.max) * GAS_PER_BLOB) : 0;
}
