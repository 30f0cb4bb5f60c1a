import { getBalance } from 'viem/actions';
import * as z from 'zod/mini';
import { etherText } from '../../../system/numbers/human.ts';
import { mapValues } from '../../spec/schema/json.ts';
import { boundsOf, broken, isBound } from '../bounds.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsTarget, on, readerOf } from '../on.ts';
import { address, wei } from '../words.ts';

/** An address has a balance. */
export const balance = defineExpectation({
  name: 'balance',
  schema: z
    .strictObject({ of: address, on: z.exactOptional(on), ...boundsOf(wei) })
    .check(z.refine(isBound, 'one of is, above, below')),
  check: (value, facts) => knowsTarget(facts, ['balance'], value.on),
  async begin({ of, on: target, ...bounds }, run) {
    return async () => {
      const balance = await getBalance(readerOf(run.plan(), target), { address: of });
      const problem = broken(balance, mapValues(bounds, BigInt), etherText);
      const evidence = { balance: balance.toString() };
      return problem === undefined
        ? { holds: true, evidence }
        : { holds: false, because: `the balance of ${of} is ${problem}`, evidence };
    };
  },
});
