import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client.ts';
import type { Logger } from '../../../system/log.ts';
import { pause } from '../../../system/pause.ts';
import type { L1Backend } from './l1-backend.ts';
import { fetchSyncStatus } from './sync-status.ts';

/** Most blocks that are searched back: nodes that are no archives keep about as many states. */
export const MAX_RECENT_TXS_DEPTH = 128;

/** Number of the newest L1 block within `depth` of the head that has a transaction of the account; the head's where there is none. */
export async function checkRecentTxs(l1: L1Backend, address: Hex, depth: number): Promise<number> {
  const head = (await l1.head()).number;
  let newest = head;
  let oldest = Math.max(0, head - depth);
  const nonce = await l1.nonce(address, head);
  if ((await l1.nonce(address, oldest)) === nonce) return head;
  // The nonce of `oldest` is lower, that of `newest` the head's.
  while (newest - oldest > 1) {
    const middle = Math.floor((newest + oldest) / 2);
    if ((await l1.nonce(address, middle)) === nonce) newest = middle;
    else oldest = middle;
  }
  return newest;
}

export interface RollupSyncOptions {
  readonly l1: L1Backend;
  readonly node: RpcClient;
  readonly address: Hex;
  /** L1 blocks that are searched back for this account's last transaction; 0: the node must reach the head. */
  readonly depth: number;
  /** ms */
  readonly pollInterval: number;
  readonly log: Logger;
}

/**
 * Waits until the rollup node has derived from what this account posted before: what it calls the safe head then holds all of that, and nothing is
 * posted twice. Rejects where L1 or the node does not answer.
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
