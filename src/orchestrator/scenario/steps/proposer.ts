import * as z from 'zod/mini';
import { sayAction } from '../../change/act-on-node.ts';
import { choice, withDescription } from '../../spec/schema/words.ts';
import { outputEvidence } from '../evidence.ts';
import { knowsChain, runsHere } from '../facts.ts';
import { chainNamed } from '../places.ts';
import { defineStep } from '../step.ts';
import { chainName } from '../words.ts';

const ACTIONS = ['stop', 'start', 'kill', 'pause', 'resume'] as const;

const long = z.strictObject({
  do: withDescription(choice(...ACTIONS), 'what happens to it'),
  chain: z.exactOptional(chainName),
});

/** Stops or starts a chain's proposer. */
export const proposer = defineStep({
  name: 'proposer',
  summary: "Stops or starts a chain's proposer.",
  schema: z.union([
    z.codec(choice(...ACTIONS), z.custom<z.output<typeof long>>(), {
      decode: (action) => ({ do: action }),
      encode: () => z.NEVER,
    }),
    long,
  ]),
  check(value, facts) {
    if (!knowsChain(facts, ['chain'], value.chain)) return;
    const chain = chainNamed(facts.plan, value.chain);
    if (chain?.proposer !== undefined) runsHere(facts, [], chain.proposer.task);
    else facts.report([], `${chain?.name} has no proposer`, { allowed: 'a chain with one' });
  },
  run: ({ do: action, chain }, run) =>
    outputEvidence(run, (io) =>
      sayAction(io, run.devnet(), action, chainNamed(run.plan(), chain)?.proposer?.task ?? 'proposer'),
    ),
});
