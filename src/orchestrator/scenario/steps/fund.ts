import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { withDescription } from '../../spec/schema/words.ts';
import { fund as fundAddress } from '../../traffic/fund.ts';
import { knowsChain } from '../facts.ts';
import { chainNamed } from '../places.ts';
import { receiptsOf } from '../run.ts';
import { defineStep } from '../step.ts';
import { address, as, chainName, duration, wei } from '../words.ts';
import { RECEIPT_TIMEOUT_MS } from './send.ts';

/** Mints ether to an address on L2. */
export const fund = defineStep({
  name: 'fund',
  summary: 'Mints ether to an address on L2 by a deposit from L1, as `devnet fund` does.',
  schema: z.strictObject({
    address,
    amount: wei,
    chain: z.exactOptional(chainName),
    timeout: z.exactOptional(withDescription(duration, 'fail after this time; default: 60s')),
    as,
  }),
  gives: ['balance', 'l1', 'l2'],
  check: ({ chain }, facts) => void knowsChain(facts, ['chain'], chain),
  async run({ address: to, amount, chain, timeout = RECEIPT_TIMEOUT_MS }, run) {
    const plan = run.plan();
    const view = present(chainNamed(plan, chain), 'chain of a fund step');
    const funding = { address: to, amount: BigInt(amount) };
    const { l1, l2, balance } = await fundAddress(plan, view, funding, timeout, receiptsOf(run));
    return {
      balance: balance.toString(),
      l1: { hash: l1.transactionHash, block: Number(l1.blockNumber) },
      l2: { hash: l2.transactionHash, block: Number(l2.blockNumber) },
    };
  },
});
