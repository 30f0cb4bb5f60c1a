import type { ChannelRules } from '../../rules/rules.ts';
import type { L1BlockRef } from '../../types.ts';
import type { Ports, Rollup } from '../ports.ts';
import { createBaseBatchStage } from './base-batch-stage.ts';
import { type BatchReader, type BatchStage, createBatchQueue } from './batch-queue.ts';
import { createBatchStage } from './batch-stage.ts';
import type { HasOrigin } from './stage.ts';

const STAGES = { bank: createBatchQueue, assembler: createBatchStage } as const;

/** Stage 6, of the kind that the rules at the L1 origin select (op-node: `BatchMux`, kona: `BatchProvider`). */
export interface BatchProvider extends BatchStage, HasOrigin {
  reset(origin: L1BlockRef): void;
}

/**
 * Swaps the whole batch stage when the origin crosses an activation, in either direction.
 * Buffered batches are discarded, the L1 blocks stay.
 */
export function createBatchProvider(
  rollup: Rollup,
  ports: Pick<Ports, 'l2' | 'log'>,
  below: BatchReader,
): BatchProvider {
  const base = createBaseBatchStage(rollup, below, ports.log);
  let current: { kind: ChannelRules['stages']; stage: BatchStage } | null = null;

  const stage = (): BatchStage => {
    const kind = rollup.rulesAt(below.origin().timestamp).channels.stages;
    if (current?.kind !== kind) current = { kind, stage: STAGES[kind](rollup, ports, below, base) };
    return current.stage;
  };

  return {
    origin: () => below.origin(),
    nextBatch: (parent) => stage().nextBatch(parent),
    flush: () => stage().flush(),
    reset(origin) {
      current = null;
      base.reset(origin);
    },
  };
}
