import { quantity, sameHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { fetchSyncStatus } from '../txmgr/sync-status.ts';
import type { GameState } from './claims.ts';

/** Whether an output is true, and with what a false one is answered. Unknown: the node has not derived so far yet. */
export type Verdict = { readonly kind: 'true' | 'unknown' } | { readonly kind: 'false'; readonly honestRoot: Hex };

/**
 * Compares the output of a game with that of the rollup node (op-challenger: `outputs.Provider`).
 * A block that is not safe when all of L1 up to the game is derived does not exist: the answer is the output of the
 * safe head. `created`: Unix seconds.
 */
export async function judge(node: RpcClient, created: number, state: GameState): Promise<Verdict> {
  const status = await fetchSyncStatus(node);
  if (status === undefined) return { kind: 'unknown' };
  const safe = status.safe_l2.number;
  if (state.block > safe && status.current_l1.timestamp < created) return { kind: 'unknown' };
  const block = Math.min(state.block, safe);
  const { outputRoot } = await node.call<{ readonly outputRoot: Hex }>('optimism_outputAtBlock', [quantity(block)]);
  if (block === state.block && sameHex(outputRoot, state.rootClaim)) return { kind: 'true' };
  return { kind: 'false', honestRoot: outputRoot };
}
