import { DEPOSIT_TYPE } from '../../codec/deposit.ts';
import type { Hex, L1BlockRef } from '../../types.ts';
import type { Rollup } from '../ports.ts';
import { drop, undecidedVerdict, type Verdict } from './batch-validity.ts';

/**
 * Transaction types that a batch may carry only if the rules list them. The engine rejects all other unknown types.
 */
const GATED_TYPES = [0x04, 0x7d];

/** One L2 block of a batch. */
export interface BatchBlock {
  readonly timestamp: number;
  readonly transactions: readonly Hex[];
}

/**
 * Checks the time of a batch's block against its L1 origin. Returns null if no rule is broken.
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
  if (timestamp < origin.timestamp) return drop({ kind: 'before L1 origin', timestamp, originTime: origin.timestamp });
  const latest = origin.timestamp + rollup.rulesAt(origin.timestamp).batches.maxSequencerDrift(rollup.config);
  if (timestamp <= latest) return null;
  if (transactions.length > 0) {
    return drop({ kind: 'sequencer drift', timestamp, latest });
  }
  if (advancesOrigin) return null;
  if (next === undefined) return undecidedVerdict({ kind: 'next L1 origin unknown' });
  return timestamp >= next.timestamp ? drop({ kind: 'next L1 origin not taken' }) : null;
}

/**
 * Checks the transactions of a batch's block (op-node: `checkSequencerTxData`). Returns null if no rule is broken.
 */
export function checkTransactions(rollup: Rollup, { timestamp, transactions }: BatchBlock): Verdict | null {
  if (transactions.length === 0) return null;
  if (rollup.activationAt(timestamp)?.emptyBatch) return drop({ kind: 'transactions in activation block' });
  const { transactionTypes } = rollup.rulesAt(timestamp).batches;
  for (const [index, transaction] of transactions.entries()) {
    if (transaction.length <= 2) return drop({ kind: 'empty transaction', index });
    const type = Number.parseInt(transaction.slice(2, 4), 16);
    if (type === DEPOSIT_TYPE) return drop({ kind: 'deposit', index });
    if (GATED_TYPES.includes(type) && !transactionTypes.includes(type)) {
      return drop({ kind: 'transaction type', index, type, timestamp });
    }
  }
  return null;
}
