import { RpcError } from '../../../rpc/error.ts';
import type { GatewayCall, GatewayMethods } from '../../../rpc/gateway/methods.ts';
import { lacksState } from './reorg.ts';

/**
 * Makes a call that rolls back `depth` blocks of L1, and journals the new chain. No block is made meanwhile.
 * @throws RpcError of L1
 */
export type ReorganiseL1 = (depth: number, call: () => Promise<unknown>) => Promise<unknown>;

/** Creates the methods that reorganise L1. The journal has the reorganisation before they answer. */
export function reorganisations(reorganise: ReorganiseL1): GatewayMethods {
  const reorganised = async ({ method, params, pass }: GatewayCall) => {
    const depth = depthOf(params[0]);
    try {
      return await reorganise(depth, () => pass(method, params));
    } catch (error) {
      if (!(error instanceof RpcError && lacksState(error))) throw error;
      throw new RpcError(
        error.code,
        `${method}: L1 has no state ${depth} blocks below its head. It has those of 128 blocks (prune-history), ` +
          'and none from before its last start; reorganise fewer blocks',
      );
    }
  };
  return { anvil_rollback: reorganised, anvil_reorg: reorganised };
}

/** Reads the depth of `anvil_rollback` (default 1), or of the options of `anvil_reorg`. L1 refuses any other value. */
function depthOf(value: unknown): number {
  if (typeof value === 'object' && value !== null && 'depth' in value) return depthOf(value.depth);
  return value == null ? 1 : Number(value);
}
