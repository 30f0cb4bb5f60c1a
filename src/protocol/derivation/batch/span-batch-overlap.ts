import { isDeposit } from '../../codec/deposit.ts';
import type { SpanBatch } from '../../codec/span/batch.ts';
import { sameHex } from '../../hex.ts';
import { present } from '../../present.ts';
import type { L2BlockRef } from '../../types.ts';
import { blockRefOf } from '../attributes/block-ref.ts';
import { DerivationError } from '../error.ts';
import type { L2Chain, Rollup } from '../ports.ts';
import { drop, type Verdict } from './batch-validity.ts';

/**
 * Checks that the already safe blocks of a span batch equal the safe chain (op-node: `checkSpanBatchOverlap`).
 * User transactions and L1 origin must be the same. Returns null if they are. Rejects if the port does.
 * Specification: delta, overlapped blocks; holocene, Span Batches.
 */
export async function checkOverlap(
  rollup: Rollup,
  l2: Pick<L2Chain, 'payloadByNumber'>,
  safeHead: L2BlockRef,
  batch: SpanBatch,
  parent: L2BlockRef,
): Promise<Verdict | null> {
  for (let number = parent.number + 1; number <= safeHead.number; number++) {
    const block = present(batch.blocks[number - parent.number - 1], 'block of a span batch');
    const safe = await l2.payloadByNumber(number);
    if (safe === null) throw new DerivationError('retry', `the engine does not have L2 block ${number}`);
    const { executionPayload: payload } = safe;
    const safeTransactions = payload.transactions.filter((transaction) => !isDeposit(transaction));
    if (safeTransactions.length !== block.transactions.length) {
      return drop({
        kind: 'overlap transaction count',
        number,
        safe: safeTransactions.length,
        batch: block.transactions.length,
      });
    }
    const differs = block.transactions.findIndex(
      (transaction, index) => !sameHex(transaction, present(safeTransactions[index], 'transaction of a safe block')),
    );
    if (differs >= 0) return drop({ kind: 'overlap transaction', number, index: differs });
    const { l1origin } = blockRefOf(rollup, payload);
    if (l1origin.number !== block.epochNum) {
      return drop({ kind: 'overlap L1 origin', number, safe: l1origin.number, batch: block.epochNum });
    }
  }
  return null;
}
