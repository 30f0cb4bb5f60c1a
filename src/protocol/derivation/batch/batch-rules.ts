import { DEPOSIT_TYPE } from '../../codec/deposit.ts';
import type { Hex, L1BlockRef } from '../../types.ts';
import type { Rollup } from '../ports.ts';
import { drop, undecided, type Verdict } from './batch-validity.ts';

/**
 * Transaction types that a batch may carry only where the rules list them. The engine rejects all other unknown types.
 */
const GATED_TYPES = [0x04, 0x7d];

/** One L2 block of a batch. */
export interface BatchBlock {
  readonly timestamp: number;
  readonly transactions: readonly Hex[];
}

/**
 * Checks the time of a batch's block against its L1 origin. Returns null where no rule is broken.
 * The block must not be before its origin. Past the sequencer drift it must be empty, with no later origin available.
 * Counterparts: the time checks in `checkSingularBatch` (op-node) and `SingleBatch::check_batch` (kona).
 */
export function checkOriginTime(
  rollup: Rollup,
  { timestamp, transactions }: BatchBlock,
  origin: L1BlockRef,
  advancesOrigin: boolean,
  next: L1BlockRef | undefined,
): Verdict | null {
  if (timestamp < origin.timestamp) return drop(`time ${timestamp} is before its L1 origin's ${origin.timestamp}`);
  const latest = origin.timestamp + rollup.rulesAt(origin.timestamp).batches.maxSequencerDrift(rollup.config);
  if (timestamp <= latest) return null;
  if (transactions.length > 0) {
    return drop(`time ${timestamp} exceeds the sequencer drift (${latest}), only empty blocks may`);
  }
  if (advancesOrigin) return null;
  if (next === undefined) return undecided('past the sequencer drift, the next L1 block is not known yet');
  return timestamp >= next.timestamp ? drop('past the sequencer drift without taking the next L1 origin') : null;
}

/**
 * Checks the transactions of a batch's block (op-node: `checkSequencerTxData`). Returns null where no rule is broken.
 */
export function checkTransactions(rollup: Rollup, { timestamp, transactions }: BatchBlock): Verdict | null {
  if (transactions.length === 0) return null;
  if (rollup.activationAt(timestamp)?.emptyBatch) return drop('transactions in a block in which a fork activates');
  const { transactionTypes } = rollup.rulesAt(timestamp).batches;
  for (const [index, transaction] of transactions.entries()) {
    if (transaction.length <= 2) return drop(`transaction ${index} is empty`);
    const type = Number.parseInt(transaction.slice(2, 4), 16);
    if (type === DEPOSIT_TYPE) return drop(`transaction ${index} is a deposit`);
    if (GATED_TYPES.includes(type) && !transactionTypes.includes(type)) {
      return drop(`transaction ${index} has type ${type}, which the rules at ${timestamp} do not allow`);
    }
  }
  return null;
}
