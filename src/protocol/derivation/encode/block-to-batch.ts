import { isDeposit } from '../../codec/deposit.ts';
import type { SingularBatch } from '../../codec/singular-batch.ts';
import type { ExecutionPayload } from '../../types.ts';
import { l1InfoOf } from '../attributes/l1-info.ts';
import type { Rollup } from '../ports.ts';

/**
 * Makes the singular batch of an L2 block: its transactions without deposits, and its epoch (op-node:
 * `BlockToSingularBatch`).
 * @throws DerivationError (fatal) if the block does not begin with L1 attributes
 */
export function blockToBatch(
  rollup: Rollup,
  payload: ExecutionPayload,
): { readonly batch: SingularBatch; readonly sequenceNumber: number } {
  const { hash, number, sequenceNumber } = l1InfoOf(rollup, payload);
  const { parentHash, transactions } = payload;
  const batch = {
    parentHash,
    epochNum: number,
    epochHash: hash,
    timestamp: Number(payload.timestamp),
    transactions: transactions.filter((transaction) => !isDeposit(transaction)),
  };
  return { batch, sequenceNumber };
}
