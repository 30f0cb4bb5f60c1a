import type { SingularBatch } from '../../codec/singular-batch.ts';
import type { SpanBatch } from '../../codec/span/batch.ts';
import type { Hex, L1BlockRef, L2BlockRef } from '../../types.ts';

const UNKNOWN_HASH: Hex = `0x${'00'.repeat(32)}`;

/**
 * Returns the blocks of a span batch after the safe head as singular batches.
 * Counterparts: `GetSingularBatches` (op-node), `SpanBatch::get_singular_batches` (kona).
 * Null if the L1 origin of one is not among the known L1 blocks. Parents are filled in when a batch is taken.
 */
export function singularBatchesOf(
  batch: SpanBatch,
  l1Blocks: readonly L1BlockRef[],
  safeHead: L2BlockRef,
): SingularBatch[] | null {
  const singular: SingularBatch[] = [];
  for (const { timestamp, epochNum, transactions } of batch.blocks) {
    if (timestamp <= safeHead.timestamp) continue;
    const origin = l1Blocks.find(({ number }) => number === epochNum);
    if (origin === undefined) return null;
    singular.push({ parentHash: UNKNOWN_HASH, epochNum, epochHash: origin.hash, timestamp, transactions });
  }
  return singular;
}

/** The remaining singular batches of a span batch (op-node: `nextFromSpanBatch`, `popNextBatch`). */
export interface SpanQueue {
  /** Returns the batch for the child of `parent`; null if none is left. A batch for another block drops all. */
  next(parent: L2BlockRef): SingularBatch | null;
  isEmpty(): boolean;
  fill(batches: readonly SingularBatch[]): void;
  /** Drops the batches that are left. */
  clear(): void;
}

/** Creates an empty queue of a rollup with this block time in seconds. */
export function createSpanQueue(blockTime: number): SpanQueue {
  let batches: readonly SingularBatch[] = [];
  let position = 0;
  const clear = (): void => {
    position = batches.length;
  };
  return {
    next(parent) {
      const next = batches[position];
      if (next === undefined) return null;
      if (next.timestamp === parent.timestamp + blockTime) {
        position++;
        return { ...next, parentHash: parent.hash };
      }
      clear();
      return null;
    },
    isEmpty: () => position === batches.length,
    fill(next) {
      batches = next;
      position = 0;
    },
    clear,
  };
}
