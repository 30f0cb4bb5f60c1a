import type { Hex } from '../../protocol/types.ts';
import { pause } from '../../system/time/pause.ts';
import type { Inclusion } from './l1-backend.ts';
import type { PendingTransaction, TxCandidate } from './pending-transaction.ts';
import type { SendContext } from './send-context.ts';

/** Longest pause between two requests for a transaction, ms of the wall clock. */
const ASK_AGAIN_MS = 500;
/** Pairs of requests after which a transaction is lost although each pair saw a new block. */
const MAX_PAIRS = 3;

/**
 * Polls L1 for a candidate (op-service: `queryReceipt`).
 * Returns the confirmed inclusion, or the current state of the attempts. Undefined if their nonce is lost.
 */
export async function queryReceipt(
  context: SendContext,
  candidate: TxCandidate,
  attempts: PendingTransaction,
  signal: AbortSignal,
): Promise<Inclusion | PendingTransaction | undefined> {
  const { l1, address, options, clock, log, publisher } = context;
  const { what } = candidate;
  const inclusion = await l1.inclusion(attempts.hashes);
  if (inclusion !== undefined) {
    if (!(await isConfirmed(context, inclusion))) return attempts;
    context.gap.confirmed(candidate, attempts, inclusion.blockNumber);
    return inclusion;
  }
  const onChain = await l1.nonce(address);
  const { nonce } = attempts;
  const isInFlight = (below: number) => context.nonces.isInFlight(below);
  if (onChain < nonce && (await context.gap.fill(onChain, nonce, isInFlight, signal)))
    return countNonceTooHigh(context, candidate, attempts, onChain);
  if (onChain > nonce) return countNonceTooLow(context, candidate, attempts);
  if (clock.now() - attempts.sentAt >= options.resubmissionTimeout) {
    log.info('Not included in time, raising fees', { what, nonce });
    return publisher.increaseGasPrice(candidate, attempts, signal);
  }
  const hash = attempts.hashes.at(-1);
  if (hash !== undefined && (await isLost(context, hash, signal))) {
    log.info('L1 dropped the transaction, sending it again', { what, hash });
    return publisher.republish(candidate, attempts, signal);
  }
  const { nonceTooLow, nonceTooHigh } = attempts;
  return nonceTooLow + nonceTooHigh === 0 ? attempts : { ...attempts, nonceTooLow: 0, nonceTooHigh: 0 };
}

/**
 * Tells whether the pool of L1 has lost a transaction. One that waits may be in neither pool nor chain while L1 makes
 * a block: it is lost if L1 lacks it before and after a pause without a new block.
 */
async function isLost(
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

async function isConfirmed({ l1, options }: SendContext, { blockNumber }: Inclusion): Promise<boolean> {
  return options.confirmations <= 1 || (await l1.head()).number - blockNumber + 1 >= options.confirmations;
}

/** Counts a poll that found a lower nonce free. A node that lags behind shows a gap that is none. */
function countNonceTooHigh(
  { options, log }: SendContext,
  { what }: TxCandidate,
  attempts: PendingTransaction,
  onChain: number,
): PendingTransaction | undefined {
  const nonceTooHigh = attempts.nonceTooHigh + 1;
  if (nonceTooHigh < options.safeAbortNonceTooLow) return { ...attempts, nonceTooHigh };
  log.warn('A reorganisation of L1 left a nonce gap, sending again below it', {
    what,
    nonce: attempts.nonce,
    onChain,
  });
  return undefined;
}

/**
 * Counts a poll that found the nonce used.
 * An attempt may have been included between the two requests, or the answers come from different nodes.
 */
async function countNonceTooLow(
  { l1, options, log }: SendContext,
  { what }: TxCandidate,
  attempts: PendingTransaction,
): Promise<PendingTransaction | undefined> {
  const nonceTooLow = attempts.nonceTooLow + 1;
  if (nonceTooLow < options.safeAbortNonceTooLow) return { ...attempts, nonceTooLow };
  if ((await l1.inclusion(attempts.hashes)) !== undefined) return attempts;
  log.warn('Another transaction took the nonce, sending again', { what, nonce: attempts.nonce });
  return undefined;
}
