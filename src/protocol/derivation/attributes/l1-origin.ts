import type { L1BlockRef, L2BlockRef } from '../../types.ts';
import type { Rollup } from '../ports.ts';

/**
 * Selects the L1 origin of the sequencer's next block upon `parent` (op-node: `FindL1Origin`, kona:
 * `L1OriginSelector`).
 * It is `next` as soon as its time is not past the block's, else `current`. Returns null if the block would be past
 * the sequencer drift of `current` and `next` is unknown: the sequencer waits for L1.
 */
export function selectL1Origin(
  rollup: Rollup,
  parent: L2BlockRef,
  current: L1BlockRef,
  next: L1BlockRef | null,
): L1BlockRef | null {
  const time = parent.timestamp + rollup.config.block_time;
  if (next !== null) return time >= next.timestamp ? next : current;
  const drift = rollup.rulesAt(current.timestamp).batches.maxSequencerDrift(rollup.config);
  return time > current.timestamp + drift ? null : current;
}
