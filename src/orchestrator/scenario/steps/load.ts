import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { choice, key, whole, withDescription } from '../../spec/schema/words.ts';
import { LOAD_KINDS } from '../../traffic/load/kinds.ts';
import { runLoad } from '../../traffic/load/load.ts';
import { knowsChain } from '../facts.ts';
import { chainNamed } from '../places.ts';
import { defineStep } from '../step.ts';
import { as, chainName, duration } from '../words.ts';

/** Number of transactions if the step gives neither a number nor a time. */
const DEFAULT_COUNT = 20;

/** Time (ms) that a load waits for what it has sent. */
const INCLUSION_TIMEOUT_MS = 60_000;

/** Sends transactions. */
export const load = defineStep({
  name: 'load',
  summary: 'Sends transactions, and waits until they are in blocks, as `devnet load` does.',
  schema: z.strictObject({
    kind: z._default(withDescription(choice(...LOAD_KINDS), 'what is sent'), 'transfers'),
    count: key(whole(1, 1_000_000), 'so many transactions; default: 20'),
    for: key(duration, 'send for this time'),
    tps: key(z.number().check(z.gte(0.01), z.lte(100_000)), 'transactions per second; absent: as many as are taken'),
    seed: key(whole(0, Number.MAX_SAFE_INTEGER), 'what the transactions follow from; absent: the seed of the scenario'),
    chain: z.exactOptional(chainName),
    failing: key(z.literal(true), 'transactions may fail, or may not get into a block'),
    timeout: z.exactOptional(withDescription(duration, 'wait this long for those that were sent; default: 60s')),
    as,
  }),
  gives: ['sent', 'included', 'failed', 'missing', 'tps', 'latency'],
  check: ({ chain }, facts) => void knowsChain(facts, ['chain'], chain),
  async run({ kind, count, for: forMs, tps, seed, chain, failing, timeout = INCLUSION_TIMEOUT_MS }, run) {
    const plan = run.plan();
    const view = present(chainNamed(plan, chain), 'chain of a load step');
    const result = await runLoad(plan, view, {
      ...{ kind, forMs, tps, timeoutMs: timeout, signal: run.signal, pass: run.time.pass, now: run.time.now },
      seed: seed ?? run.seed,
      count: count ?? (forMs === undefined ? DEFAULT_COUNT : undefined),
    });
    const { failed, missing, refused } = result;
    if (failing || (failed === 0 && missing === 0 && refused === undefined)) return { ...result };
    throw new Failure('load', refused ?? `${failed} transactions failed, ${missing} were not included`, {
      exit: EXIT.failed,
      data: { ...result },
    });
  },
});
