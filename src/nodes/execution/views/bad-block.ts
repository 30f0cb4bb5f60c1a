import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { encodeBlock, type UnexecutedBlock } from '../chain/unexecuted-block.ts';
import type { ViewBehaviour } from './behaviour.ts';
import { blockView } from './block.ts';

/**
 * Returns an invalid block as `debug_getBadBlocks` shows it (geth: `BadBlockArgs`).
 * Without receipts, its deposits have no nonces.
 */
export function badBlockView(block: UnexecutedBlock, views: ViewBehaviour): Readonly<Record<string, unknown>> {
  const receipts = block.transactions.map((raw) => ({ transactionHash: keccak256(raw) }));
  const { totalDifficulty: _, ...view } = blockView({ ...block, receipts: { receipts } }, true, views);
  return { block: view, hash: block.hash, rlp: bytesToHex(encodeBlock(block)) };
}
