import type { SingularBatch } from '../../codec/singular-batch.ts';
import type { SpanBatch } from '../../codec/span/batch.ts';
import type { L2BlockRef } from '../../types.ts';
import { batchReasonMessage } from '../batch/batch-reason.ts';
import { drop, type Refusal } from '../batch/batch-validity.ts';
import { checkSingularBatch } from '../batch/singular-batch-validity.ts';
import { createSpanQueue, singularBatchesOf } from '../batch/span-batch-blocks.ts';
import { checkOrderedSpanBatch } from '../batch/span-batch-validity.ts';
import type { Ports, Rollup } from '../ports.ts';
import type { BaseBatchStage } from './base-batch-stage.ts';
import type { BatchReader, BatchStage } from './batch-queue.ts';
import type { ReadBatch } from './channel-reader.ts';

/**
 * Takes batches in strict order (op-node: `BatchStage`; kona: `BatchStream`, `BatchValidator`).
 * A batch that does not fit is dropped with the rest of its span batch and channel. A batch of the past is skipped.
 * Specification: holocene, Batch Queue and Span Batches.
 */
export function createBatchStage(
  rollup: Rollup,
  { l2, log }: Pick<Ports, 'l2' | 'log'>,
  below: BatchReader,
  base: BaseBatchStage,
): BatchStage {
  const span = createSpanQueue(rollup.config.block_time);
  /** A span batch that was read and could not be checked because the L2 port failed. */
  let unjudged: SpanBatch | null = null;

  const flush = (): void => {
    span.clear();
    unjudged = null;
    below.flush();
  };
  const settle = (kind: ReadBatch['kind'], { validity, reason }: Refusal): void => {
    log?.(validity === 'past' ? 'debug' : 'warn', `batch: ${validity}`, { kind, reason: batchReasonMessage(reason) });
    if (validity === 'drop') flush();
  };
  const contextOf = (safeHead: L2BlockRef) => ({ l1Blocks: base.blocks(), safeHead, inclusion: base.origin() });

  const openSpan = async (batch: SpanBatch, parent: L2BlockRef): Promise<SingularBatch | null> => {
    unjudged = batch;
    const verdict = await checkOrderedSpanBatch(rollup, l2, contextOf(parent), batch);
    unjudged = null;
    if (verdict.validity !== 'accept') {
      settle('span', verdict);
      return null;
    }
    const batches = singularBatchesOf(batch, base.blocks(), parent);
    if (batches === null) settle('span', drop({ kind: 'L1 origin too old' }));
    else span.fill(batches);
    return span.next(parent);
  };

  const nextCandidate = async (parent: L2BlockRef): Promise<SingularBatch | 'more' | 'eof'> => {
    const fromSpan = span.next(parent);
    if (fromSpan !== null) return fromSpan;
    if (unjudged !== null) return (await openSpan(unjudged, parent)) ?? 'more';
    const read = await below.nextBatch();
    if (typeof read === 'string') return read;
    return read.kind === 'singular' ? read.batch : ((await openSpan(read.batch, parent)) ?? 'more');
  };

  return {
    async nextBatch(parent) {
      base.update(parent);
      if (base.isBehind(parent) || parent.l1origin.number === base.origin().number) {
        const past = await below.nextBatch();
        return past === 'eof' ? 'eof' : 'more';
      }
      base.checkEpoch(parent);

      const candidate = await nextCandidate(parent);
      if (candidate === 'more') return 'more';
      if (candidate === 'eof') {
        const batch = base.nextEmptyBatch(parent, true);
        return batch === null ? 'eof' : { batch, concluding: true };
      }
      const verdict = checkSingularBatch(rollup, contextOf(parent), candidate);
      if (verdict.validity === 'accept') return { batch: candidate, concluding: span.isEmpty() };
      settle('singular', verdict);
      return 'more';
    },
    flush,
  };
}
