import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import type { Logger } from '../../system/program/log.ts';
import { pause } from '../../system/time/pause.ts';
import type { L1Backend } from './l1-backend.ts';
import { fetchSyncStatus } from './sync-status.ts';

/**
 * Maximum depth of the search (op-batcher: limit of `CheckRecentTxsDepth`).
 * Nodes without an archive keep about this many states.
 */
export const MAX_RECENT_TXS_DEPTH = 128;

/**
 * Returns the newest L1 block within `depth` that has a transaction of the account (op-service: `CheckRecentTxs`).
 * Returns the head if none has.
 */
export async function checkRecentTxs(l1: L1Backend, address: Hex, depth: number): Promise<number> {
  const head = (await l1.head()).number;
  let newest = head;
  let oldest = Math.max(0, head - depth);
  const nonce = await l1.nonce(address, head);
  if ((await l1.nonce(address, oldest)) === nonce) return head;
  // Invariant: the nonce at `newest` equals the head's, that at `oldest` is lower.
  while (newest - oldest > 1) {
    const middle = Math.floor((newest + oldest) / 2);
    if ((await l1.nonce(address, middle)) === nonce) newest = middle;
    else oldest = middle;
  }
  return newest;
}

/** The parts and settings of the wait. */
export interface RollupSyncOptions {
  readonly l1: L1Backend;
  readonly node: RpcClient;
  readonly address: Hex;
  /** L1 blocks to search for the account's last transaction; 0: the node must reach the head. */
  readonly depth: number;
  /** ms */
  readonly pollInterval: number;
  readonly log: Logger;
}

/**
 * Waits until the rollup node has derived this account's earlier transactions (op-service: `WaitRollupSync`).
 * Counterpart in op-batcher: `waitNodeSync`.
 * Its safe head then includes them, and nothing is posted twice. Rejects if L1 or the node does not answer.
 */
export async function waitRollupSync(options: RollupSyncOptions, signal: AbortSignal): Promise<void> {
  const { l1, node, address, depth, pollInterval, log } = options;
  const target = await checkRecentTxs(l1, address, depth);
  log.info('Waits for the rollup node', { l1: target });
  while (!signal.aborted) {
    const status = await fetchSyncStatus(node);
    if (status !== undefined && status.current_l1.number >= target) return;
    await pause(pollInterval, signal);
  }
}
