import type { OutputContract } from './facts.ts';

/** Selectors: `latestBlockNumber()`, `gameCount()`, `findLatestGames(uint32,uint256,uint256)`. */
const LATEST_BLOCK_NUMBER = '0x4599c788';
const GAME_COUNT = '0x4d1975b4';
const FIND_LATEST_GAMES = '0x254bd683';

/** The game that proposers of this package and op-proposer create on a devnet. */
const PERMISSIONED_GAME = 1;

/** Words of the answer of `findLatestGames` for one game: number of games, and the L2 block in its extra data. */
const ONE_GAME_WORDS = 1;
const GAME_BLOCK = 9;

/**
 * Reads the newest L2 block with an output on L1; undefined if there is no game yet. `call`: an `eth_call` at the
 * head.
 */
export async function readOutputs(
  { system, address }: OutputContract,
  call: (to: string, data: string) => Promise<string>,
): Promise<number | undefined> {
  if (system === 'output-oracle') return wordOf(await call(address, LATEST_BLOCK_NUMBER), 0);
  const count = wordOf(await call(address, GAME_COUNT), 0);
  if (count === undefined || count === 0) return undefined;
  const args = [PERMISSIONED_GAME, count - 1, 1].map((each) => each.toString(16).padStart(64, '0'));
  const answer = await call(address, `${FIND_LATEST_GAMES}${args.join('')}`);
  return wordOf(answer, ONE_GAME_WORDS) === 0 ? undefined : wordOf(answer, GAME_BLOCK);
}

function wordOf(answer: string, at: number): number | undefined {
  const word = answer.slice(2 + at * 64, 2 + (at + 1) * 64);
  const number = word.length === 64 ? Number(`0x${word}`) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
