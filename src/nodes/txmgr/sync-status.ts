import type { L1BlockRef, L2BlockRef } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';

/** The fields of `optimism_syncStatus` that batcher and proposer read (op-service: `SyncStatus`). */
export interface SyncStatus {
  readonly current_l1: L1BlockRef;
  readonly head_l1: L1BlockRef;
  readonly unsafe_l2: L2BlockRef;
  readonly safe_l2: L2BlockRef;
  readonly finalized_l2: L2BlockRef;
}

/**
 * Reads the sync status (op-service: `RollupClient.SyncStatus`).
 * Returns undefined before the node knows L1 and its own chain.
 */
export async function fetchSyncStatus(node: RpcClient): Promise<SyncStatus | undefined> {
  return knownStatus(await node.call<SyncStatus>('optimism_syncStatus'));
}

/** Returns a status that a node answered; undefined if it does not know L1 and its own chain yet. */
export function knownStatus(status: SyncStatus): SyncStatus | undefined {
  const isEmpty = [status.head_l1, status.safe_l2, status.unsafe_l2].some(({ hash }) => /^0x0*$/.test(hash));
  return isEmpty ? undefined : status;
}
