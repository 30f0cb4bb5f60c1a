import { concatAll, u256be } from '../../protocol/bytes.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import type { BlockId, Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import type { L1Backend } from '../txmgr/l1-backend.ts';
import { addressWord, bytesTail, calldata, view, Words } from './abi.ts';
import type { L1Call } from './proposal-target.ts';

/** Multicall3: at this address on every chain, several calls in one transaction. */
const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';
/** Games resolved in one transaction. */
const AT_ONCE = 8;
/** Games below the newest one that are checked after a start. */
const LOOK_BACK = 256;

interface Game {
  readonly address: Hex;
  readonly isOurs: boolean;
  /** Unix seconds. */
  readonly created: number;
}

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

  async function gameAt(index: number): Promise<Game> {
    const game = await view(rpc, factory, 'gameAtIndex(uint256)', u256be(index));
    return { isOurs: game.number(0) === gameType, created: game.number(1), address: game.address(2) };
  }

  /** Tells whether a game is in progress and unchallenged. */
  async function isOpen({ address, isOurs }: Game): Promise<boolean> {
    if (!isOurs) return false;
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
      const game = await gameAt(index);
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

/** Returns the clock of each side of a game, in seconds. */
async function clockOf(rpc: RpcClient, factory: Hex, gameType: number): Promise<number> {
  const implementation = (await view(rpc, factory, 'gameImpls(uint32)', u256be(gameType))).address(0);
  return (await view(rpc, implementation, 'maxClockDuration()')).number(0);
}

/** Encodes Multicall3's `aggregate`: all calls succeed or none does. */
function aggregate(calls: readonly { readonly to: Hex; readonly data: Uint8Array }[]): Uint8Array {
  const items = calls.map(({ to, data }) => concatAll([addressWord(to), u256be(64), bytesTail(data)]));
  let offset = items.length * 32;
  const offsets = items.map((item) => {
    const word = u256be(offset);
    offset += item.length;
    return word;
  });
  return calldata('aggregate((address,bytes)[])', u256be(32), u256be(items.length), ...offsets, ...items);
}
