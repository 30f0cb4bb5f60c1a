import { getTransactionReceipt } from 'viem/actions';
import * as z from 'zod/mini';
import { choice, withDescription } from '../../spec/schema/words.ts';
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
      const receipt = await getTransactionReceipt(chain, { hash: value.hash }).catch(() => undefined);
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
