import { EXIT, Failure } from '../../../system/failure.ts';
import type { Logger } from '../../../system/log.ts';
import type { Chain } from '../chain/chain.ts';

/**
 * Takes the chain back to a block and removes every block above it, so that none is known that other fork times made.
 * Labels above it go back with the head. A head at or below the block stays. @throws Failure `usage` where the number is none
 */
export async function rewind(chain: Chain, word: string, log: Logger): Promise<void> {
  const number = Number(word);
  if (!/^\d+$/.test(word) || !Number.isSafeInteger(number))
    throw new Failure('usage', `rewind: expected a block number, found ${JSON.stringify(word)}`, { exit: EXIT.usage });
  const before = chain.head.header.number;
  if (before > number) chain.makeCanonical(chain.canonicalHash(number)!);
  chain.store.removeAbove(number);
  log.info('chain taken back', { from: before, head: chain.head.header.number });
}
