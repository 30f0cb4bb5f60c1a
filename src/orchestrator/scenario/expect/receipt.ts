import { getTransactionReceipt } from 'viem/actions';
import * as z from 'zod/mini';
import { choice, described } from '../../spec/schema/words.ts';
import { knowsTarget, on, readerOf } from '../on.ts';
import { receiptEvidence } from '../receipts.ts';
import { hash } from '../words.ts';
import { defineExpectation } from './expectation.ts';

/** A transaction is in a block, and ended as expected. */
export const receipt = defineExpectation({
  name: 'receipt',
  schema: z.strictObject({
    hash,
    on: z.exactOptional(on),
    status: z._default(described(choice('success', 'reverted', 'none'), 'how it ended; none: in no block'), 'success'),
  }),
  check: (value, facts) => knowsTarget(facts, ['receipt'], value.on),
  async begin(value, run) {
    return async () => {
      const chain = readerOf(run.plan(), value.on);
      const found = await getTransactionReceipt(chain, { hash: value.hash }).catch(() => undefined);
      const status = found?.status ?? 'none';
      const evidence = found === undefined ? { status } : receiptEvidence(found);
      return status === value.status
        ? { holds: true, evidence }
        : { holds: false, because: `the transaction ${value.hash} has the status ${status}`, evidence };
    };
  },
});
