import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { choice, key, whole, withDescription } from '../../spec/schema/words.ts';
import { deposit as makeDeposit } from '../../traffic/deposit.ts';
import { keyOf } from '../../traffic/payer.ts';
import { walletAt } from '../../traffic/transaction.ts';
import { knowsChain, knowsSender } from '../facts.ts';
import { checkPayload, inputOf, payload } from '../payload.ts';
import { chainNamed } from '../places.ts';
import { mustEndAs, RECEIPT_VALUES } from '../receipts.ts';
import { receiptsOf } from '../run.ts';
import { defineStep } from '../step.ts';
import { address, as, chainName, duration, sender, wei } from '../words.ts';
import { RECEIPT_TIMEOUT_MS } from './send.ts';

/** Deposits from L1 to a chain. */
export const deposit = defineStep({
  name: 'deposit',
  summary: 'Sends a transaction to L2 through the portal on L1, and waits until the sequencer has it.',
  schema: z.strictObject({
    chain: z.exactOptional(chainName),
    from: z._default(sender, 0),
    to: address,
    value: z.prefault(withDescription(wei, 'minted and sent to the address'), 0),
    ...payload,
    gas: key(whole(21_000, 20_000_000), 'the gas limit on L2; default: 200000'),
    status: z._default(withDescription(choice('success', 'reverted'), 'how it must end on L2'), 'success'),
    timeout: z.exactOptional(withDescription(duration, 'fail after this time; default: 60s')),
    as,
  }),
  gives: [...RECEIPT_VALUES, 'l1'],
  check(value, facts) {
    knowsChain(facts, ['chain'], value.chain);
    knowsSender(facts, ['from'], value.chain, value.from);
    checkPayload(facts, [], value);
  },
  async run({ timeout = RECEIPT_TIMEOUT_MS, gas = 200_000, ...value }, run) {
    const plan = run.plan();
    const chain = present(chainNamed(plan, value.chain), 'chain of a deposit step');
    const wallet = walletAt(plan.network.l1.rpc, keyOf(chain, value.from));
    const amount = BigInt(value.value);
    const request = { to: value.to, value: amount, mint: amount, gas: BigInt(gas), data: inputOf(value) };
    const { l1, l2 } = await makeDeposit(plan, chain, wallet, request, timeout, receiptsOf(run));
    const evidence = mustEndAs(value.status, l2);
    return { ...evidence, l1: { hash: l1.transactionHash, block: Number(l1.blockNumber) } };
  },
});
