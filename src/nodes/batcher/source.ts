import type { Rollup } from '../../protocol/derivation/ports.ts';
import { rollupOf } from '../../protocol/derivation/rollup.ts';
import { quantity } from '../../protocol/hex.ts';
import type { BlockId, ExecutionPayload, RollupConfig } from '../../protocol/types.ts';
import { type RpcClient, TransportError } from '../../rpc/client/client.ts';
import type { JsonObject } from '../../rpc/json-object.ts';
import { envelopeOfBlock } from '../rpc-types/block.ts';
import { knownStatus, type SyncStatus } from '../txmgr/sync-status.ts';

/** Reads the rollup's configuration from its rollup node. */
export async function fetchRollup(node: RpcClient): Promise<Rollup> {
  return rollupOf(await node.call<RollupConfig>('optimism_rollupConfig'));
}

/**
 * Reads configuration and sync status with one request; the status is undefined before the node knows its chain.
 * Counterpart in op-batcher: `getSyncStatus`.
 */
export async function pollNode(node: RpcClient): Promise<{ config: RollupConfig; status: SyncStatus | undefined }> {
  const outcomes = await node.batch<RollupConfig | SyncStatus>([
    { method: 'optimism_rollupConfig' },
    { method: 'optimism_syncStatus' },
  ]);
  const [config, status] = outcomes.map((outcome) => {
    if (!outcome.ok) throw outcome.error;
    return outcome.result;
  });
  if (config === undefined || !('genesis' in config) || status === undefined || !('head_l1' in status))
    throw new TransportError('the rollup node', 'expected its configuration and its sync status');
  return { config, status: knownStatus(status) };
}

/**
 * Reads a range of blocks, as far as the execution client has them (op-batcher: `loadBlockIntoState`). Transactions are
 * checked against their hashes.
 */
export async function fetchBlocks(
  execution: RpcClient,
  rollup: Rollup,
  from: number,
  to: number,
): Promise<readonly ExecutionPayload[]> {
  const requests = Array.from({ length: to - from + 1 }, (_, at) => ({
    method: 'eth_getBlockByNumber',
    params: [quantity(from + at), true],
  }));
  const payloads: ExecutionPayload[] = [];
  for (const outcome of await execution.batch<JsonObject | null>(requests)) {
    if (!outcome.ok) throw outcome.error;
    if (outcome.result === null) break;
    payloads.push(envelopeOfBlock(outcome.result, rollup.rulesAt).executionPayload);
  }
  return payloads;
}

/** Returns the hash and the number of a block. */
export const idOf = ({ hash, number }: BlockId): BlockId => ({ hash, number });
