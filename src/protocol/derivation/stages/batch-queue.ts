import type { SingularBatch } from '../../codec/singular-batch.ts';
import { present } from '../../present.ts';
import type { L1BlockRef, L2BlockRef } from '../../types.ts';
import { batchReasonMessage } from '../batch/batch-reason.ts';
import type { BatchContext, Verdict } from '../batch/batch-validity.ts';
import { checkSingularBatch } from '../batch/singular-batch-validity.ts';
import { createSpanQueue, singularBatchesOf } from '../batch/span-batch-blocks.ts';
import { checkSpanBatch } from '../batch/span-batch-validity.ts';
import type { L2Chain, Ports, Rollup } from '../ports.ts';
import type { BaseBatchStage } from './base-batch-stage.ts';
import type { ReadBatch } from './channel-reader.ts';
import type { HasOrigin, Pulled } from './stage.ts';

/** The part of the channel reader that the batch stages call (op-node: `NextBatchProvider`). */
export interface BatchReader extends HasOrigin {
  nextBatch(): Promise<Pulled<ReadBatch>>;
  flush(): void;
}

/** A valid batch for the next L2 block. `concluding`: it is the last of the batch that contained it. */
export interface NextBatch {
  readonly batch: SingularBatch;
  readonly concluding: boolean;
}

/**
 * Stage 6: valid batches in order (op-node: `SingularBatchProvider`).
 * The rules at the L1 origin choose one of two implementations: {@link createBatchQueue} and `createBatchStage`.
 */
export interface BatchStage {
  /** Returns the batch for the child of `parent`. */
  nextBatch(parent: L2BlockRef): Promise<Pulled<NextBatch>>;
  /** Drops the rest of the span batch and of the channel (op-node: `FlushChannel`). */
  flush(): void;
}

interface BufferedBatch {
  readonly batch: ReadBatch;
  readonly inclusion: L1BlockRef;
}

/**
 * Buffers batches in inclusion order and returns the first valid one for the next L2 block.
 * Counterpart in op-node and kona: `BatchQueue`. Specification: Batch Queue.
 */
export function createBatchQueue(
  rollup: Rollup,
  { l2, log }: Pick<Ports, 'l2' | 'log'>,
  below: BatchReader,
  base: BaseBatchStage,
): BatchStage {
  const span = createSpanQueue(rollup.config.block_time);
  let buffer: BufferedBatch[] = [];
  /** A batch that was read and is not checked yet. It stays if the check fails because of a port. */
  let arrived: BufferedBatch | null = null;

  const check = async ({ batch, inclusion }: BufferedBatch, safeHead: L2BlockRef): Promise<Verdict> => {
    const verdict = await checkBatch(rollup, l2, { l1Blocks: base.blocks(), safeHead, inclusion }, batch);
    if (verdict.validity === 'drop')
      log?.('warn', 'dropped a batch', { kind: batch.kind, reason: batchReasonMessage(verdict.reason) });
    return verdict;
  };

  /** Returns the first acceptable one of the buffered batches. Only those that may be acceptable later stay. */
  const take = async (parent: L2BlockRef): Promise<ReadBatch | 'undecided' | null> => {
    const later: BufferedBatch[] = [];
    for (const [index, candidate] of buffer.entries()) {
      const { validity } = await check(candidate, parent);
      if (validity === 'undecided') {
        buffer = [...later, ...buffer.slice(index)];
        return 'undecided';
      }
      if (validity === 'accept') {
        buffer = [...later, ...buffer.slice(index + 1)];
        return candidate.batch;
      }
      if (validity === 'future') later.push(candidate);
    }
    buffer = later;
    return null;
  };

  const open = (batch: ReadBatch, parent: L2BlockRef): SingularBatch | null => {
    if (batch.kind === 'singular') return batch.batch;
    const batches = singularBatchesOf(batch.batch, base.blocks(), parent) ?? undefined;
    span.fill(present(batches, 'L1 origins of an accepted span batch'));
    return span.next(parent);
  };

  return {
    async nextBatch(parent) {
      const fromSpan = span.next(parent);
      if (fromSpan !== null) return { batch: fromSpan, concluding: span.isEmpty() };

      base.update(parent);
      const read = arrived === null ? await below.nextBatch() : 'more';
      if (read === 'more' && arrived === null) return 'more';
      const idle = read === 'eof' ? 'eof' : 'more';
      if (base.isBehind(parent)) return idle;
      if (typeof read !== 'string') arrived = { batch: read, inclusion: base.origin() };
      if (arrived !== null && (await check(arrived, parent)).validity !== 'drop') buffer.push(arrived);
      arrived = null;

      base.checkEpoch(parent);
      const candidate = await take(parent);
      if (candidate === 'undecided') return idle;
      const batch = candidate === null ? base.nextEmptyBatch(parent, read === 'eof') : open(candidate, parent);
      return batch === null ? idle : { batch, concluding: span.isEmpty() };
    },
    flush() {
      span.clear();
      below.flush();
    },
  };
}

/**
 * Checks a batch of either kind (op-node: `CheckBatch`, kona: `BatchWithInclusionBlock::check_batch`).
 * Rejects if the port does.
 */
async function checkBatch(rollup: Rollup, l2: L2Chain, context: BatchContext, batch: ReadBatch): Promise<Verdict> {
  return batch.kind === 'singular'
    ? checkSingularBatch(rollup, context, batch.batch)
    : checkSpanBatch(rollup, l2, context, batch.batch);
}
