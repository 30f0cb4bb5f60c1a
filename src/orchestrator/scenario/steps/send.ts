import * as z from 'zod/mini';
import { choice, key, whole, withDescription } from '../../spec/schema/words.ts';
import { send as sendTransaction } from '../../traffic/transaction.ts';
import { knowsTarget, on, walletOn } from '../on.ts';
import { checkPayload, inputOf, payload } from '../payload.ts';
import { mustEndAs, RECEIPT_VALUES } from '../receipts.ts';
import { receiptsOf } from '../run.ts';
import { defineStep } from '../step.ts';
import { address, as, duration, sender, wei } from '../words.ts';

/** Time (ms) within which a transaction must be in a block. */
export const RECEIPT_TIMEOUT_MS = 60_000;

/** Sends a transaction of a funded account. */
export const send = defineStep({
  name: 'send',
  summary: 'Sends a transaction of a funded account, and waits until it is in a block.',
  schema: z.strictObject({
    on: z.exactOptional(on),
    from: z._default(sender, 0),
    to: address,
    value: z.prefault(wei, 0),
    ...payload,
    gas: key(whole(21_000, 1_000_000_000), 'the gas limit; absent: estimated'),
    status: z._default(withDescription(choice('success', 'reverted', 'any'), 'how it must end'), 'success'),
    wait: z._default(withDescription(z.boolean(), 'false: go on when it is sent'), true),
    timeout: z.exactOptional(withDescription(duration, 'fail after this time; default: 60s')),
    as,
  }),
  gives: RECEIPT_VALUES,
  check(value, facts) {
    knowsTarget(facts, [], value.on, value.from);
    checkPayload(facts, [], value);
  },
  async run({ gas, status, timeout = RECEIPT_TIMEOUT_MS, ...value }, run) {
    const wallet = walletOn(run.plan(), value.on, value.from);
    const hash = await sendTransaction(wallet, {
      to: value.to,
      value: BigInt(value.value),
      data: inputOf(value),
      ...(gas === undefined ? {} : { gas: BigInt(gas) }),
    });
    if (!value.wait) return { hash };
    const receipt = await receiptsOf(run)(wallet, hash, timeout);
    return mustEndAs(status === 'any' ? receipt.status : status, receipt);
  },
});
