import * as z from 'zod/mini';
import { sayAction } from '../../change/act-on-node.ts';
import { choice, withDescription } from '../../spec/schema/words.ts';
import { outputEvidence } from '../evidence.ts';
import { knowsPoster } from '../facts.ts';
import { posterTask } from '../places.ts';
import { defineStep } from '../step.ts';
import { chainName, orAction, POSTER_ACTIONS } from '../words.ts';

const long = z.strictObject({
  do: withDescription(choice(...POSTER_ACTIONS), 'what happens to it'),
  chain: z.exactOptional(chainName),
});

/** Stops or starts a chain's proposer. */
export const proposer = defineStep({
  name: 'proposer',
  summary: "Stops or starts a chain's proposer.",
  schema: orAction(POSTER_ACTIONS, long, (action) => ({ do: action })),
  check: ({ chain }, facts) => void knowsPoster(facts, 'proposer', chain),
  run: ({ do: action, chain }, run) =>
    outputEvidence(run, (io) => sayAction(io, run.devnet(), action, posterTask(run.plan(), 'proposer', chain))),
});
