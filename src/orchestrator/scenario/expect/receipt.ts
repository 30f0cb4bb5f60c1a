import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { getTransactionReceipt } from 'viem/actions';
import * as z from 'zod/mini';
import { messageOf } from '../../../system/failure.ts';
import { choice, withDescription } from '../../spec/schema/words.ts';
import type { Chain } from '../../traffic/transaction.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsTarget, on, readerOf } from '../on.ts';
import { receiptEvidence } from '../receipts.ts';
import { blockNumber, hash, orReference } from '../words.ts';

/** A transaction is in a block, and ended as expected. */
export const receipt = defineExpectation({
  name: 'receipt',
  schema: z.strictObject({
    hash,
    on: z.exactOptional(on),
    status: z._default(
      withDescription(choice('success', 'reverted', 'none'), 'how it ended; none: not in a block'),
      'success',
    ),
    after: z.exactOptional(withDescription(orReference(blockNumber), 'its block is above this one')),
  }),
  check: (value, facts) => knowsTarget(facts, ['receipt'], value.on),
  async begin(value, run) {
    return async () => {
      const chain = readerOf(run.plan(), value.on);
      const receipt = await receiptAt(chain, value.hash).catch((error: unknown) => messageOf(error).split('\n')[0]);
      if (typeof receipt === 'string')
        return { holds: false, because: `the receipt of ${value.hash} cannot be read: ${receipt}` };
      const status = receipt?.status ?? 'none';
      const evidence = receipt === undefined ? { status } : receiptEvidence(receipt);
      const because =
        status !== value.status
          ? `the transaction ${value.hash} has the status ${status}`
          : value.after !== undefined && !(Number(receipt?.blockNumber ?? -1) > value.after)
            ? `the transaction ${value.hash} is in block ${receipt?.blockNumber ?? 'none'}, not after ${value.after}`
            : undefined;
      return because === undefined ? { holds: true, evidence } : { holds: false, because, evidence };
    };
  },
});

/** Returns the receipt of a transaction; undefined if it is in no block. @throws if the client does not say */
async function receiptAt(chain: Chain, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await getTransactionReceipt(chain, { hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}
