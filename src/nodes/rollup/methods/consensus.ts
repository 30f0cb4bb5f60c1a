import * as z from 'zod';
import { FORKS } from '../../../protocol/forks/index.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { NO_L1_BLOCK, NO_L2_BLOCK, type NodeApi, type Output } from './api.ts';

const VERSION_0: Hex = `0x${'0'.repeat(64)}`;

/**
 * Status methods: `consensus_` in the shapes of the interface, `optimism_` in those of op-node.
 * Counterpart in op-node: `nodeAPI`, in kona: `RollupNodeApi`.
 */
export const consensusMethods: MethodTable<NodeApi> = {
  consensus_syncStatus: method('Heads of L1 and L2 as this node sees them.', z.tuple([]), (node) => ({
    ...heads(node),
    queued_unsafe_l2: node.syncStatus().queued_unsafe_l2,
    engine_sync_target: node.syncStatus().engine_sync_target,
  })),
  optimism_syncStatus: method('Heads of L1 and L2 as this node sees them.', z.tuple([]), opSyncStatus),
  consensus_rollupConfig: method(
    'The rollup configuration in use, every fork with its time or null.',
    z.tuple([]),
    (node) => ({
      ...Object.fromEntries(FORKS.flatMap(({ rollupKey }) => (rollupKey === null ? [] : [[rollupKey, null]]))),
      ...node.rollup.config,
    }),
  ),
  optimism_rollupConfig: method('The rollup configuration in use.', z.tuple([]), (node) => node.rollup.config),
  consensus_outputAtBlock: method(
    '[version, output root] of a block.',
    z.tuple([param.quantity]),
    async (node, [number]) => [VERSION_0, (await outputOf(node, number)).outputRoot],
  ),
  optimism_outputAtBlock: method(
    'Output root of a block and what it commits to.',
    z.tuple([param.quantity]),
    async (node, [number]) => ({
      version: VERSION_0,
      ...(await outputOf(node, number)),
      syncStatus: opSyncStatus(node),
    }),
  ),
  ...both('safeHeadAtL1Block', () =>
    method('The safe head as of an L1 block.', z.tuple([param.quantity]), (node: NodeApi, [number]) => {
      if (!node.safedb) throw new RpcError(RPC_CODE.server, 'safe head database not enabled');
      const entry = node.safedb.at(Number(number));
      if (!entry) throw new RpcError(RPC_CODE.server, 'not found');
      return entry;
    }),
  ),
  ...both('dependencySet', () =>
    method('The chains that read one another.', z.tuple([]), (node: NodeApi) => {
      if (!node.dependencySet) throw new RpcError(RPC_CODE.server, 'not found');
      return node.dependencySet;
    }),
  ),
  ...both('version', () => method('Version of this program.', z.tuple([]), (node: NodeApi) => node.version)),
};

function both(name: string, make: () => MethodTable<NodeApi>[string]): MethodTable<NodeApi> {
  return { [`consensus_${name}`]: make(), [`optimism_${name}`]: make() };
}

function opSyncStatus(node: NodeApi) {
  const status = heads(node);
  return { ...status, cross_unsafe_l2: status.unsafe_l2, local_safe_l2: status.safe_l2 };
}

function heads(node: NodeApi) {
  const status = node.syncStatus();
  return {
    current_l1: status.current_l1 ?? NO_L1_BLOCK,
    current_l1_finalized: status.finalized_l1,
    head_l1: status.head_l1,
    safe_l1: status.safe_l1,
    finalized_l1: status.finalized_l1,
    unsafe_l2: status.unsafe_l2 ?? NO_L2_BLOCK,
    safe_l2: status.safe_l2,
    finalized_l2: status.finalized_l2,
    pending_safe_l2: status.pending_safe_l2,
  };
}

async function outputOf(node: NodeApi, number: bigint): Promise<Output> {
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw new RpcError(RPC_CODE.invalidParams, 'block number too large');
  const output = await node.outputAt(Number(number)).catch((error: unknown) => {
    throw new RpcError(RPC_CODE.server, error instanceof Error ? error.message : String(error));
  });
  if (output === null) throw new RpcError(RPC_CODE.server, 'not found');
  return output;
}
