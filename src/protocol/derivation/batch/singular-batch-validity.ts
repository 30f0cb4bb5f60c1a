import type { SingularBatch } from '../../codec/singular-batch.ts';
import { sameHex } from '../../hex.ts';
import type { Rollup } from '../ports.ts';
import { checkOriginTime, checkTransactions } from './batch-rules.ts';
import { ACCEPT, type BatchContext, drop, undecided, type Verdict } from './batch-validity.ts';

/**
 * Checks a singular batch as the child of the safe head.
 * Counterparts: `checkSingularBatch` (op-node), `SingleBatch::check_batch` (kona).
 * The holocene rules, by inclusion time, add `past` and drop `future`. Specification: Batch Queue.
 */
export function checkSingularBatch(rollup: Rollup, context: BatchContext, batch: SingularBatch): Verdict {
  const { l1Blocks, safeHead, inclusion } = context;
  const [epoch, nextEpoch] = l1Blocks;
  if (epoch === undefined) return undecided('no L1 block is known');

  const strict = rollup.rulesAt(inclusion.timestamp).channels.stages === 'assembler';
  const expected = safeHead.timestamp + rollup.config.block_time;
  if (batch.timestamp !== expected) {
    const reason = `time ${batch.timestamp}, expected ${expected}`;
    if (batch.timestamp > expected) return { validity: strict ? 'drop' : 'future', reason };
    return { validity: strict ? 'past' : 'drop', reason };
  }
  if (!sameHex(batch.parentHash, safeHead.hash)) {
    return drop(`parent ${batch.parentHash}, the safe head is ${safeHead.hash}`);
  }
  if (batch.epochNum + rollup.config.seq_window_size < inclusion.number) {
    return drop(`epoch ${batch.epochNum}, included in ${inclusion.number}: the sequencing window is over`);
  }

  // The first known epoch is the child of the safe head's once empty batches filled that. No epoch may be left out.
  if (batch.epochNum > safeHead.l1origin.number + 1) {
    return drop(`epoch ${batch.epochNum}, but the safe head has epoch ${safeHead.l1origin.number}`);
  }
  const advancesOrigin = batch.epochNum === epoch.number + 1;
  if (batch.epochNum !== epoch.number && !advancesOrigin) {
    return drop(`epoch ${batch.epochNum}, expected ${epoch.number} or the one after`);
  }
  const origin = advancesOrigin ? nextEpoch : epoch;
  if (origin === undefined) return undecided(`epoch ${batch.epochNum} is not known yet`);
  if (!sameHex(batch.epochHash, origin.hash)) {
    return drop(`epoch ${batch.epochNum} is ${batch.epochHash}, on this L1 ${origin.hash}`);
  }
  return (
    checkOriginTime(rollup, batch, origin, advancesOrigin, nextEpoch) ?? checkTransactions(rollup, batch) ?? ACCEPT
  );
}
