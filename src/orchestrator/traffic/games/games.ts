import { type Hex, hexToBigInt, isHex, numberToHex, parseAbi, sliceHex, zeroAddress } from 'viem';
import { readContract } from 'viem/actions';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { ChainView } from '../../plan/plan.ts';
import type { Chain } from '../transaction.ts';

const FACTORY = parseAbi([
  'function gameCount() view returns (uint256)',
  'function games(uint32, bytes32, bytes) view returns (address, uint64)',
  'function gameAtIndex(uint256) view returns (uint32, uint64, address)',
]);
const GAME = parseAbi([
  'function status() view returns (uint8)',
  'function gameData() view returns (uint32, bytes32, bytes)',
  'function claimDataLen() view returns (uint256)',
]);

/** Type of the games of a devnet. */
const PERMISSIONED_GAME = 1;

/** States of a game, in the order of their numbers (`GameStatus`). */
export const GAME_STATES = ['in-progress', 'challenger-wins', 'defender-wins'] as const;
export type GameState = (typeof GAME_STATES)[number];

/** A dispute game on L1. */
export interface GameView {
  readonly index: number;
  readonly address: Hex;
  /** Unix seconds. */
  readonly created: number;
  /** L2 block whose output is claimed. */
  readonly block: number;
  readonly root: Hex;
  readonly state: GameState;
  /** One more than the moves. */
  readonly claims: number;
}

/** Returns the factory of a chain's games. @throws Failure `no-game` (exit 2) if its outputs are no games */
export function factoryOf({ name, contracts }: ChainView): Hex {
  const factory = contracts.l1['DisputeGameFactory'];
  if (isHex(factory)) return factory;
  throw new Failure('no-game', `the outputs of ${name} are no dispute games`, {
    exit: EXIT.usage,
    hint: `start it with chains.${name}.proposer.system: dispute-games`,
  });
}

/** Finds the game of an output; undefined if it is not on L1. */
export async function gameOf(l1: Chain, chain: ChainView, root: Hex, block: number): Promise<Hex | undefined> {
  const [game] = await readContract(l1, {
    ...{ address: factoryOf(chain), abi: FACTORY, functionName: 'games' },
    args: [PERMISSIONED_GAME, root, numberToHex(block, { size: 32 })],
  });
  return game === zeroAddress ? undefined : game;
}

/** Reads a game by its address. */
export async function readGame(l1: Chain, address: Hex): Promise<Omit<GameView, 'index' | 'created'>> {
  const on = { address, abi: GAME } as const;
  const [status, [, root, extraData], claims] = await Promise.all([
    readContract(l1, { ...on, functionName: 'status' }),
    readContract(l1, { ...on, functionName: 'gameData' }),
    readContract(l1, { ...on, functionName: 'claimDataLen' }),
  ]);
  const block = Number(hexToBigInt(sliceHex(extraData, 0, 32)));
  return { address, block, root, state: GAME_STATES[status] ?? 'in-progress', claims: Number(claims) };
}

/** Reads the newest games of a chain, the newest first. */
export async function readGames(l1: Chain, chain: ChainView, most: number): Promise<readonly GameView[]> {
  const factory = { address: factoryOf(chain), abi: FACTORY } as const;
  const count = Number(await readContract(l1, { ...factory, functionName: 'gameCount' }));
  const indices = Array.from({ length: Math.min(most, count) }, (_, at) => count - 1 - at);
  return Promise.all(
    indices.map(async (index) => {
      const args = [BigInt(index)] as const;
      const [, created, address] = await readContract(l1, { ...factory, functionName: 'gameAtIndex', args });
      return { index, created: Number(created), ...(await readGame(l1, address)) };
    }),
  );
}
