import type { Hex } from '../../protocol/types.ts';
import { pause } from '../../system/time/pause.ts';
import type { SendContext } from './send-context.ts';

/** Longest pause between two requests for a transaction, ms of the wall clock. */
const ASK_AGAIN_MS = 500;
/** Pairs of requests after which a transaction is lost although each pair saw a new block. */
const MAX_PAIRS = 3;

/**
 * Tells whether the pool of L1 has lost a transaction. One that waits may be in neither pool nor chain while L1 makes
 * a block: it is lost if L1 lacks it before and after a pause without a new block.
 */
export async function isLost(
  { l1, options }: Pick<SendContext, 'l1' | 'options'>,
  hash: Hex,
  signal: AbortSignal,
): Promise<boolean> {
  for (let pair = 1; ; pair++) {
    if (await l1.knows(hash)) return false;
    const before = await l1.head();
    await pause(Math.min(ASK_AGAIN_MS, options.pollInterval), signal);
    if (signal.aborted || (await l1.knows(hash))) return false;
    if (pair === MAX_PAIRS || (await l1.head()).hash === before.hash) return true;
  }
}
