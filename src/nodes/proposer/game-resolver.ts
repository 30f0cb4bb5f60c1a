import { u256be } from '../../protocol/bytes.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import type { BlockId, Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { calldata, view, Words } from '../games/abi.ts';
import { clockOf, type Game, gameAt } from '../games/game.ts';
import { aggregate, MULTICALL3 } from '../games/multicall.ts';
import type { L1Call } from '../txmgr/calls.ts';
import type { L1Backend } from '../txmgr/l1-backend.ts';

/** Games resolved in one transaction. */
const AT_ONCE = 8;
/** Games below the newest one that are checked after a start. */
const LOOK_BACK = 256;

/**
 * Finds unchallenged games whose clock has expired, and returns the call that resolves them
 * (op-challenger: `tryResolve`).
 * It resolves claim 0, then the game (contracts-bedrock 0.17). Challenged games are left to their challenger.
 * Finished games at the start of the list are not checked again, unless L1 was reorganised since.
 */
export function gameResolver(
  rpc: RpcClient,
  l1: Pick<L1Backend, 'head' | 'blockHash'>,
  { factory, gameType }: { readonly factory: Hex; readonly gameType: number },
): () => Promise<L1Call | undefined> {
  let done: number | undefined;
  let clock: number | undefined;
  /** L1 head at the last check. */
  let lastHead: BlockId | undefined;

  /** Tells whether a game is in progress and unchallenged. */
  async function isOpen({ address, type }: Game): Promise<boolean> {
    if (type !== gameType) return false;
    const calls = ['status()', 'claimDataLen()'].map((signature) => ({
      method: 'eth_call',
      params: [{ to: address, data: bytesToHex(calldata(signature)) }, 'latest'],
    }));
    const [status, claims] = (await rpc.batch<Hex>(calls)).map((outcome) => {
      if (!outcome.ok) throw outcome.error;
      return new Words(outcome.result).number(0);
    });
    return status === 0 && claims === 1;
  }

  return async () => {
    clock ??= await clockOf(rpc, factory, gameType);
    const { hash, number, timestamp } = await l1.head();
    // A reorganisation may have taken out a resolution. The head is read before: one that comes between the two
    // requests is seen now, and one that comes later at the next check.
    if (lastHead !== undefined && (await l1.blockHash(lastHead.number)) !== lastHead.hash) done = undefined;
    lastHead = { hash, number };
    const count = (await view(rpc, factory, 'gameCount()')).number(0);
    done = Math.min(done ?? Math.max(0, count - LOOK_BACK), count);
    const open: Hex[] = [];
    for (let index = done; index < count && open.length < AT_ONCE; index++) {
      const game = await gameAt(rpc, factory, index);
      // Later games have later clocks.
      if (game.created + clock >= timestamp) break;
      if (await isOpen(game)) open.push(game.address);
      else if (open.length === 0) done = index + 1;
    }
    if (open.length === 0) return undefined;
    const calls = open.flatMap((to) => [
      { to, data: calldata('resolveClaim(uint256)', u256be(0)) },
      { to, data: calldata('resolve()') },
    ]);
    const what = open.length === 1 ? `the resolution of game ${open[0]}` : `the resolution of ${open.length} games`;
    return { to: MULTICALL3, data: aggregate(calls), what };
  };
}
