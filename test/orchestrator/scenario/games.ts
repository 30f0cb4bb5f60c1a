import { decodeFunctionData, encodeFunctionResult, type Hex, numberToHex, parseAbi, zeroAddress, zeroHash } from 'viem';
import type { GameState } from '../../../src/orchestrator/traffic/games/games.ts';

const STATES: readonly GameState[] = ['in-progress', 'challenger-wins', 'defender-wins'];
const ABI = parseAbi([
  'function gameCount() view returns (uint256)',
  'function games(uint32, bytes32, bytes) view returns (address, uint64)',
  'function gameAtIndex(uint256) view returns (uint32, uint64, address)',
  'function status() view returns (uint8)',
  'function gameData() view returns (uint32, bytes32, bytes)',
  'function claimDataLen() view returns (uint256)',
]);

/** A dispute game on L1. */
export interface Game {
  readonly address: Hex;
  readonly root: Hex;
  readonly block: number;
  readonly state: GameState;
  readonly claims: number;
}

/** Answers the calls of a factory and of its games, the oldest first. Undefined: it is none of these calls. */
export function answerOfGames(games: readonly Game[], to: string, data: Hex): Hex | undefined {
  let call: ReturnType<typeof decodeFunctionData<typeof ABI>>;
  try {
    call = decodeFunctionData({ abi: ABI, data });
  } catch {
    return undefined;
  }
  const { functionName, args = [] } = call;
  const answer = (result: unknown) => encodeFunctionResult({ abi: ABI, functionName, result } as never);
  const own = games.find(({ address }) => address === to.toLowerCase());
  const extra = numberToHex(own?.block ?? 0, { size: 32 });
  switch (functionName) {
    case 'gameCount':
      return answer(BigInt(games.length));
    case 'games': {
      const found = games.find(({ root, block }) => root === args[1] && BigInt(block) === BigInt(args[2] as Hex));
      return answer([found?.address ?? zeroAddress, 0n]);
    }
    case 'gameAtIndex':
      return answer([1, 100n, games[Number(args[0])]?.address ?? zeroAddress]);
    case 'status':
      return answer(STATES.indexOf(own?.state ?? 'in-progress'));
    case 'gameData':
      return answer([1, own?.root ?? zeroHash, extra]);
    default:
      return answer(BigInt(own?.claims ?? 0));
  }
}
