import { lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Block } from './block.ts';
import type { Chain } from './chain.ts';

/** The parts of a chain by which a transaction is found. */
interface IndexedChain extends Pick<Chain, 'canonicalHash' | 'block'> {
  readonly store: { transactionPositions(hash: Hex): Iterable<{ readonly number: number; readonly position: number }> };
}

/**
 * Finds a transaction by its hash in the canonical chain, with its position in the block
 * (geth: `ReadCanonicalTransaction`).
 */
export function findTransaction(chain: IndexedChain, hash: Hex): { block: Block; position: number } | undefined {
  const key = lowerHex(hash);
  for (const { number, position } of chain.store.transactionPositions(key)) {
    const blockHash = chain.canonicalHash(number);
    const block = blockHash === undefined ? undefined : chain.block(blockHash);
    if (block?.receipts.receipts[position]?.transactionHash === key) return { block, position };
  }
  return undefined;
}
