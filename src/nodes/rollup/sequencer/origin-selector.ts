import { DerivationError } from '../../../protocol/derivation/error.ts';
import { selectL1Origin } from '../../../protocol/derivation/l1-origin.ts';
import type { L1Chain, Rollup } from '../../../protocol/derivation/ports.ts';
import type { BlockId, L1Header, L2BlockRef } from '../../../protocol/types.ts';

/**
 * The L1 origin of the block upon `parent` (specification: L1 origin selection); null: none is allowed until L1 has another block. In recovery always the
 * next one. An L1 that does not answer for the next origin is taken as having none, so that blocks go on as long as the drift allows.
 * @throws DerivationError reset where L1 does not have the parent's origin any more
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

/** The parent's L1 origin where a block upon `parent` may keep it; null past the sequencer drift, or where L1 does not have it. */
export async function currentOrigin(rollup: Rollup, l1: L1Chain, parent: L2BlockRef): Promise<BlockId | null> {
  const current = await l1.headerByHash(parent.l1origin.hash);
  return current && selectL1Origin(rollup, parent, current, null);
}

/** Recovery takes the next origin, except that a block is never older than its origin. */
function recoveryOrigin(rollup: Rollup, parent: L2BlockRef, current: L1Header, next: L1Header): BlockId {
  return parent.timestamp + rollup.config.block_time >= next.timestamp ? next : current;
}

function reorged({ number, l1origin }: L2BlockRef): DerivationError {
  return new DerivationError(
    'reset',
    `L1 was reorganised: block ${l1origin.number} (${l1origin.hash}), the origin of L2 block ${number}, is not on its chain any more`,
  );
}
