import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client.ts';

/** What programs that post to L1 read of `optimism_syncStatus`. */
export interface SyncStatus {
  readonly current_l1: L1BlockRef;
  readonly head_l1: L1BlockRef;
  readonly unsafe_l2: L2BlockRef;
  readonly safe_l2: L2BlockRef;
  readonly finalized_l2: L2BlockRef;
}

/** undefined while the node has not found L1 and its own chain. */
export async function fetchSyncStatus(node: RpcClient): Promise<SyncStatus | undefined> {
  const status = await node.call<SyncStatus>('optimism_syncStatus');
  const isEmpty = [status.head_l1, status.safe_l2, status.unsafe_l2].some(({ hash }) => /^0x0*$/.test(hash));
  return isEmpty ? undefined : status;
}
