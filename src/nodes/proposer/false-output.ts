import { quantity, sameHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { sendCalls } from '../txmgr/calls.ts';
import type { ServiceClients } from '../txmgr/program/service.ts';
import type { SyncStatus } from '../txmgr/sync-status.ts';
import type { ProposalTarget } from './proposal-target.ts';

/** An output that is not that of its block. */
export interface FalseOutput {
  readonly root: Hex;
  /** Undefined: the newest safe block. */
  readonly block: number | undefined;
}

/** A false output that L1 has in its pool. */
export interface ProposedFalseOutput {
  readonly block: number;
  readonly root: Hex;
  /** The true output of the block. */
  readonly honestRoot: Hex;
}

/**
 * Proposes a false output, for tests of challengers. The proposer goes on with true ones.
 * Resolves when L1 has it in its pool.
 * @throws RpcError if the root is true, or outputs do not go to dispute games
 */
export async function proposeFalseOutput(
  { l1, node, sender, channel, log, outputs }: ServiceClients & { readonly outputs: ProposalTarget },
  output: FalseOutput,
): Promise<ProposedFalseOutput> {
  const { root } = output;
  if (!outputs.areGames) throw refused('a false output needs dispute games: an oracle has no challenge');
  const { safe_l2, current_l1 } = await node.call<SyncStatus>('optimism_syncStatus');
  const block = output.block ?? safe_l2.number;
  const { outputRoot: honestRoot } = await node.call<{ outputRoot: Hex }>('optimism_outputAtBlock', [quantity(block)]);
  if (sameHex(root, honestRoot)) throw refused(`${root} is the true output of block ${block}`);
  const activity = channel.activity();
  activity.busy();
  await new Promise<void>((onSent, fail) => {
    const call = { ...outputs.proposal(root, block, current_l1), what: `the false output of block ${block}`, onSent };
    sendCalls({ l1, sender, activity }, [call], new AbortController().signal)
      .then(([inclusion]) => log.info('Proposed a false output', { block, root, l1: inclusion?.blockNumber }))
      .catch((error: unknown) => {
        log.warn('A false output was not proposed', { error });
        fail(error);
      })
      .finally(() => activity.idle());
  });
  return { block, root, honestRoot };
}

const refused = (message: string) => new RpcError(RPC_CODE.server, message);
