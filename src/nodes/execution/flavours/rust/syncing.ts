import { quantity } from '../../../../protocol/hex.ts';
import type { SyncProgress } from '../../sync/backfill.ts';

const STAGES = ['Headers', 'Bodies', 'Execution', 'MerkleExecute', 'Finish'];

/**
 * Returns op-reth's answer of `eth_syncing`, an object also when the node is in sync (reth: `SyncInfo`).
 * `head`: newest block number.
 */
export function rustSyncing(head: number, progress: SyncProgress | undefined): unknown {
  const { starting, current, highest } = progress ?? { starting: 0, current: head, highest: head };
  return {
    startingBlock: quantity(starting),
    currentBlock: quantity(current),
    highestBlock: quantity(highest),
    stages: STAGES.map((name) => ({ name, block: quantity(name === 'Headers' ? highest : current) })),
  };
}

/** Returns op-reth's `syncing` notification (reth: `PubSubSyncStatus`). */
export function rustSyncNotice(progress: SyncProgress | undefined): unknown {
  if (progress === undefined) return false;
  const { starting, current, highest } = progress;
  return { syncing: true, startingBlock: starting, currentBlock: current, highestBlock: highest };
}
