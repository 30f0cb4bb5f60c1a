import { selectL1Origin } from '../../../protocol/derivation/attributes/l1-origin.ts';
import { DerivationError } from '../../../protocol/derivation/error.ts';
import type { L1Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { BlockId, L1Header, L2BlockRef } from '../../../protocol/types.ts';

/**
 * Returns the L1 origin of the block after `parent` (op-node: `FindL1Origin`, kona: `next_l1_origin`).
 * In recovery it is the next origin as soon as the block may have it, and null until L1 has one.
 * If L1 does not answer for the next origin, the current one stays: blocks continue as long as the sequencer drift
 * allows.
 * @throws DerivationError reset if L1 no longer has the parent's origin
 */
export async function findL1Origin(
  rollup: Rollup,
  l1: L1Chain,
  parent: L2BlockRef,
  isRecovering: boolean,
): Promise<BlockId | null> {
  const [current, next] = await Promise.all([
    l1.headerByHash(parent.l1origin.hash),
    l1.headerByNumber(parent.l1origin.number + 1).catch(() => null),
  ]);
  if (current === null) throw reorged(parent);
  if (next !== null && next.parentHash !== current.hash) throw reorged(parent);
  if (isRecovering) return next === null ? null : recoveryOrigin(rollup, parent, current, next);
  return selectL1Origin(rollup, parent, current, next);
}

/**
 * Returns the parent's L1 origin, or null if L1 does not have it.
 * Null too past the sequencer drift (op-node: `MaxSequencerDrift`).
 */
export async function currentOrigin(rollup: Rollup, l1: L1Chain, parent: L2BlockRef): Promise<BlockId | null> {
  const current = await l1.headerByHash(parent.l1origin.hash);
  return current && selectL1Origin(rollup, parent, current, null);
}

/** Returns the next origin, unless the block would be older than it. */
function recoveryOrigin(rollup: Rollup, parent: L2BlockRef, current: L1Header, next: L1Header): BlockId {
  return parent.timestamp + rollup.config.block_time >= next.timestamp ? next : current;
}

function reorged({ number, l1origin }: L2BlockRef): DerivationError {
  return new DerivationError(
    'reset',
    `L1 was reorganised: the origin of L2 block ${number}, L1 block ${l1origin.number} (${l1origin.hash}), is gone`,
  );
}
