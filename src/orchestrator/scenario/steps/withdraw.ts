import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { key, whole, withDescription } from '../../spec/schema/words.ts';
import { knowsChain, knowsSender } from '../facts.ts';
import { refusedInTime } from '../games/refused-withdrawal.ts';
import { chainNamed } from '../places.ts';
import { defineStep } from '../step.ts';
import { FINALIZATION_TIMEOUT_MS, WITHDRAWAL_GAS, withdrawInTime } from '../withdraw.ts';
import { address, as, chainName, data, duration, sender, wei } from '../words.ts';
import { hasGames } from './proposer.ts';

/** Withdraws from a chain to L1. */
export const withdraw = defineStep({
  name: 'withdraw',
  summary: 'Withdraws ether from L2: initiates it, proves it on L1 and finalizes it.',
  schema: z.strictObject({
    chain: z.exactOptional(chainName),
    from: z._default(sender, 0),
    to: key(address, 'the receiver on L1; absent: the sender'),
    value: wei,
    data: z.exactOptional(withDescription(data, 'the input of the call on L1')),
    against: key(
      address,
      'the game of a false output: the withdrawal is one that was never made, and the step expects L1 to refuse it',
    ),
    gas: key(whole(0, 10_000_000), 'the gas limit on L1; default: 100000'),
    timeout: z.exactOptional(withDescription(duration, 'fail after this time; default: 2m')),
    as,
  }),
  gives: ['hash', 'withdrawalHash', 'initiated', 'proven', 'finalized', 'balance', 'game', 'state', 'refused'],
  check({ chain, from, against, data, gas }, facts) {
    if (!knowsChain(facts, ['chain'], chain)) return;
    knowsSender(facts, ['from'], chain, from);
    if (chainNamed(facts.plan, chain)?.proposer === undefined)
      facts.report([], 'the chain has no proposer: its withdrawals can never be proved', {
        allowed: 'a chain with a proposer',
      });
    if (against === undefined) return;
    hasGames(facts, chain);
    for (const [key, value] of Object.entries({ data, gas }))
      if (value !== undefined)
        facts.report([key], `"${key}" has no meaning with against`, { allowed: 'from, to, value, timeout, chain' });
  },
  async run({ timeout = FINALIZATION_TIMEOUT_MS, gas = WITHDRAWAL_GAS, ...value }, run) {
    const plan = run.plan();
    const chain = present(chainNamed(plan, value.chain), 'chain of a withdraw step');
    if (value.against !== undefined) {
      const forged = { from: value.from, to: value.to, value: BigInt(value.value), game: value.against };
      return refusedInTime(run, plan, chain, forged, timeout);
    }
    const wish = {
      from: value.from,
      to: value.to,
      value: BigInt(value.value),
      data: value.data ?? ('0x' as const),
      gas: BigInt(gas),
    };
    const done = await withdrawInTime(run, plan, chain, wish, timeout);
    return {
      hash: done.initiated.transactionHash,
      withdrawalHash: done.withdrawalHash,
      initiated: { block: Number(done.initiated.blockNumber) },
      proven: { hash: done.proven.transactionHash, block: Number(done.proven.blockNumber) },
      finalized: { hash: done.finalized.transactionHash, block: Number(done.finalized.blockNumber) },
      balance: String(done.balance),
    };
  },
});
