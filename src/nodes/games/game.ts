import { u256be } from '../../protocol/bytes.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client/client.ts';
import { view } from './abi.ts';

/** A dispute game of a factory. */
export interface Game {
  readonly address: Hex;
  readonly type: number;
  /** Unix seconds. */
  readonly created: number;
}

/** Reads a game of a DisputeGameFactory by its index. */
export async function gameAt(rpc: RpcClient, factory: Hex, index: number): Promise<Game> {
  const game = await view(rpc, factory, 'gameAtIndex(uint256)', u256be(index));
  return { type: game.number(0), created: game.number(1), address: game.address(2) };
}

/** Returns the implementation of a type of games. */
export async function implementationOf(rpc: RpcClient, factory: Hex, gameType: number): Promise<Hex> {
  return (await view(rpc, factory, 'gameImpls(uint32)', u256be(gameType))).address(0);
}

/** Returns the clock of each side of a game, in seconds. */
export async function clockOf(rpc: RpcClient, factory: Hex, gameType: number): Promise<number> {
  return (await view(rpc, await implementationOf(rpc, factory, gameType), 'maxClockDuration()')).number(0);
}
