import type { SpanBatch } from '../../codec/span/batch.ts';
import { present } from '../../present.ts';
import type { L1BlockRef, L2BlockRef } from '../../types.ts';
import { blockRefOf } from '../attributes/block-ref.ts';
import { DerivationError } from '../error.ts';
import type { L2Chain, Rollup } from '../ports.ts';
import { checkOriginTime, checkTransactions } from './batch-rules.ts';
import { ACCEPT, type BatchContext, drop, type Refusal, undecidedVerdict, type Verdict } from './batch-validity.ts';
import { checkOverlap } from './span-batch-overlap.ts';

/** Verdict on a span batch's prefix, with the L2 block that an accepted batch builds upon. */
export type PrefixVerdict = { readonly validity: 'accept'; readonly parent: L2BlockRef } | Refusal;

/**
 * Checks the prefix of a span batch: time, parent and L1 origins (op-node: `checkSpanBatchPrefix`).
 * Counterpart in kona: `SpanBatch::check_batch_prefix`. Specification: delta, Batch Queue; holocene, Span Batches.
 * Rejects if the port does.
 */
export async function checkSpanBatchPrefix(
  rollup: Rollup,
  l2: Pick<L2Chain, 'payloadByNumber'>,
  context: BatchContext,
  batch: SpanBatch,
): Promise<PrefixVerdict> {
  const { l1Blocks, safeHead, inclusion } = context;
  const { block_time: blockTime, seq_window_size: window } = rollup.config;
  const [epoch, nextEpoch] = l1Blocks;
  const first = present(batch.blocks[0], 'first block of a span batch');
  const last = present(batch.blocks.at(-1), 'last block of a span batch');
  if (epoch === undefined) return undecidedVerdict({ kind: 'no L1 block' });

  const origin = first.epochNum === epoch.number + 1 ? nextEpoch : epoch;
  if (origin === undefined) return undecidedVerdict({ kind: 'epoch unknown', epoch: first.epochNum });
  if (!rollup.rulesAt(origin.timestamp).batches.span) return drop({ kind: 'span batch not active' });

  const strict = rollup.rulesAt(inclusion.timestamp).channels.stages === 'assembler';
  const expected = safeHead.timestamp + blockTime;
  if (first.timestamp > expected) {
    return {
      validity: strict ? 'drop' : 'future',
      reason: { kind: 'span start', timestamp: first.timestamp, expected },
    };
  }
  if (last.timestamp < expected) {
    return {
      validity: strict ? 'past' : 'drop',
      reason: { kind: 'span without new block', timestamp: last.timestamp },
    };
  }
  const blocksBack = (expected - first.timestamp) / blockTime;
  if (!Number.isInteger(blocksBack)) return drop({ kind: 'span misaligned' });

  const parent = await parentOf(rollup, l2, safeHead, blocksBack);
  if (parent === null) return drop({ kind: 'span before genesis' });
  if (!isPrefix(batch.parentCheck, parent.hash))
    return drop({ kind: 'parent check', check: batch.parentCheck, expected: parent.hash });
  if (first.epochNum + window < inclusion.number) {
    return drop({ kind: 'inclusion too late', epoch: first.epochNum, inclusion: inclusion.number });
  }
  if (first.epochNum > parent.l1origin.number + 1) return drop({ kind: 'epoch too far ahead', epoch: first.epochNum });
  // op-node and kona call this undecided. In strict order that skips the batch and keeps its channel, so blocks depend
  // on it. Before holocene, an undecided batch would block the batch queue for ever. The specification drops it.
  if (last.epochNum < epoch.number && !strict)
    return drop({ kind: 'last epoch too old', epoch: last.epochNum, first: epoch.number });
  const end = l1Blocks.find(({ number }) => number === last.epochNum);
  if (end === undefined) return undecidedVerdict({ kind: 'last epoch unknown', epoch: last.epochNum });
  if (!isPrefix(batch.l1OriginCheck, end.hash)) {
    return drop({ kind: 'L1 origin check', epoch: last.epochNum, check: batch.l1OriginCheck, expected: end.hash });
  }
  if (first.epochNum < parent.l1origin.number) return drop({ kind: 'epoch too old', epoch: first.epochNum });
  return { validity: 'accept', parent };
}

/**
 * Checks a span batch before its blocks are taken one by one, in strict order: its prefix and its overlap.
 * Counterparts: `checkSpanBatchHolocene` in op-node, `SpanBatch::check_batch_holocene` in kona.
 * Specification: holocene, Span Batches. Rejects if the port does.
 */
export async function checkOrderedSpanBatch(
  rollup: Rollup,
  l2: Pick<L2Chain, 'payloadByNumber'>,
  context: BatchContext,
  batch: SpanBatch,
): Promise<Verdict> {
  const prefix = await checkSpanBatchPrefix(rollup, l2, context, batch);
  if (prefix.validity !== 'accept') return prefix;
  return (await checkOverlap(rollup, l2, context.safeHead, batch, prefix.parent)) ?? ACCEPT;
}

/**
 * Checks a whole span batch, blocks and overlap included (op-node: `checkSpanBatch`, kona: `SpanBatch::check_batch`).
 * Specification: delta, Batch Queue. Rejects if the port does.
 */
export async function checkSpanBatch(
  rollup: Rollup,
  l2: Pick<L2Chain, 'payloadByNumber'>,
  context: BatchContext,
  batch: SpanBatch,
): Promise<Verdict> {
  const prefix = await checkSpanBatchPrefix(rollup, l2, context, batch);
  if (prefix.validity !== 'accept') return prefix;
  return (
    checkBlocks(rollup, context, batch, prefix.parent) ??
    (await checkOverlap(rollup, l2, context.safeHead, batch, prefix.parent)) ??
    ACCEPT
  );
}

function checkBlocks(rollup: Rollup, context: BatchContext, batch: SpanBatch, parent: L2BlockRef): Verdict | null {
  const { l1Blocks, safeHead } = context;
  let before = parent.l1origin.number;
  for (const block of batch.blocks) {
    const advances = block.epochNum > before;
    before = block.epochNum;
    if (block.timestamp <= safeHead.timestamp) continue;
    const index = l1Blocks.findIndex(({ number }) => number === block.epochNum);
    const origin: L1BlockRef | undefined = l1Blocks[index];
    if (origin === undefined) return drop({ kind: 'block epoch too old', epoch: block.epochNum });
    const verdict =
      checkOriginTime(rollup, block, origin, advances, l1Blocks[index + 1]) ?? checkTransactions(rollup, block);
    if (verdict !== null) return verdict;
  }
  return null;
}

/** Returns the L2 block that the batch builds upon, `blocksBack` before the safe head; null before genesis. */
async function parentOf(
  rollup: Rollup,
  l2: Pick<L2Chain, 'payloadByNumber'>,
  safeHead: L2BlockRef,
  blocksBack: number,
): Promise<L2BlockRef | null> {
  if (blocksBack === 0) return safeHead;
  const number = safeHead.number - blocksBack;
  if (number < rollup.config.genesis.l2.number) return null;
  const payload = await l2.payloadByNumber(number);
  if (payload === null) throw new DerivationError('retry', `the engine does not have L2 block ${number}`);
  return blockRefOf(rollup, payload.executionPayload);
}

function isPrefix(check: string, hash: string): boolean {
  return hash.toLowerCase().startsWith(check.toLowerCase());
}
