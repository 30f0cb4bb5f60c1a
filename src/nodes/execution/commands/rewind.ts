import { present } from '../../../protocol/present.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Chain } from '../chain/chain.ts';

/**
 * Rewinds the chain to a block and removes every block above it (geth: `SetHead`).
 * No block of other fork times remains.
 * Labels above the block move with the head. A head at or below the block stays. @throws Failure `usage` on a bad
 * number
 */
export async function rewind(chain: Chain, word: string, log: Logger): Promise<void> {
  const number = Number(word);
  if (!/^\d+$/.test(word) || !Number.isSafeInteger(number))
    throw new Failure('usage', `rewind: expected a block number, found ${JSON.stringify(word)}`, { exit: EXIT.usage });
  const before = chain.head.header.number;
  if (before > number) chain.makeCanonical(present(chain.canonicalHash(number), `canonical block ${number}`));
  chain.store.removeAbove(number);
  log.info('chain rewound', { from: before, head: chain.head.header.number });
}
