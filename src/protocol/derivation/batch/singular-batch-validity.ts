import type { SingularBatch } from '../../codec/singular-batch.ts';
import { sameHex } from '../../hex.ts';
import type { Rollup } from '../ports.ts';
import type { BatchReason } from './batch-reason.ts';
import { checkOriginTime, checkTransactions } from './batch-rules.ts';
import { ACCEPT, type BatchContext, drop, undecidedVerdict, type Verdict } from './batch-validity.ts';

/**
 * Checks a singular batch as the child of the safe head.
 * Counterparts: `checkSingularBatch` (op-node), `SingleBatch::check_batch` (kona).
 * The holocene rules, by inclusion time, add `past` and drop `future`. Specification: Batch Queue.
 */
export function checkSingularBatch(rollup: Rollup, context: BatchContext, batch: SingularBatch): Verdict {
  const { l1Blocks, safeHead, inclusion } = context;
  const [epoch, nextEpoch] = l1Blocks;
  if (epoch === undefined) return undecidedVerdict({ kind: 'no L1 block' });

  const strict = rollup.rulesAt(inclusion.timestamp).channels.stages === 'assembler';
  const expected = safeHead.timestamp + rollup.config.block_time;
  if (batch.timestamp !== expected) {
    const reason: BatchReason = { kind: 'timestamp', timestamp: batch.timestamp, expected };
    if (batch.timestamp > expected) return { validity: strict ? 'drop' : 'future', reason };
    return { validity: strict ? 'past' : 'drop', reason };
  }
  if (!sameHex(batch.parentHash, safeHead.hash)) {
    return drop({ kind: 'parent hash', hash: batch.parentHash, expected: safeHead.hash });
  }
  if (batch.epochNum + rollup.config.seq_window_size < inclusion.number) {
    return drop({ kind: 'inclusion too late', epoch: batch.epochNum, inclusion: inclusion.number });
  }

  // The first known epoch is the child of the safe head's once empty batches filled that. No epoch may be left out.
  if (batch.epochNum > safeHead.l1origin.number + 1) {
    return drop({ kind: 'epoch after safe head', epoch: batch.epochNum, safeEpoch: safeHead.l1origin.number });
  }
  const advancesOrigin = batch.epochNum === epoch.number + 1;
  if (batch.epochNum !== epoch.number && !advancesOrigin) {
    return drop({ kind: 'epoch mismatch', epoch: batch.epochNum, expected: epoch.number });
  }
  const origin = advancesOrigin ? nextEpoch : epoch;
  if (origin === undefined) return undecidedVerdict({ kind: 'epoch unknown', epoch: batch.epochNum });
  if (!sameHex(batch.epochHash, origin.hash)) {
    return drop({ kind: 'epoch hash', epoch: batch.epochNum, hash: batch.epochHash, expected: origin.hash });
  }
  return (
    checkOriginTime(rollup, batch, origin, advancesOrigin, nextEpoch) ?? checkTransactions(rollup, batch) ?? ACCEPT
  );
}
