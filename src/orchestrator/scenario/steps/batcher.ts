import * as z from 'zod/mini';
import { sayAction } from '../../change/act-on-node.ts';
import { changeNode } from '../../change/change-node.ts';
import { choice, key, withDescription } from '../../spec/schema/words.ts';
import { outputEvidence } from '../evidence.ts';
import { knowsPoster } from '../facts.ts';
import { posterTask } from '../places.ts';
import { defineStep } from '../step.ts';
import { chainName, orAction, POSTER_ACTIONS } from '../words.ts';
import { args } from './node.ts';

const ACTIONS = [...POSTER_ACTIONS, 'restart'] as const;

const long = z.strictObject({
  do: z._default(withDescription(choice(...ACTIONS), 'what happens to it'), 'restart'),
  da: key(choice('calldata', 'blobs'), 'with restart: where it posts from now on'),
  args: key(args, 'with restart: its arguments; null removes one'),
  chain: z.exactOptional(chainName),
});

/** Stops, starts or changes a chain's batcher. */
export const batcher = defineStep({
  name: 'batcher',
  summary: "Stops, starts or changes a chain's batcher.",
  schema: orAction(ACTIONS, long, (action) => ({ do: action })),
  check(value, facts) {
    if (!knowsPoster(facts, 'batcher', value.chain)) return;
    if (value.do !== 'restart')
      for (const change of (['da', 'args'] as const).filter((each) => value[each] !== undefined))
        facts.report([change], `"${change}" changes nothing with ${value.do}`, { allowed: 'with restart' });
  },
  run: ({ do: action, da, args: pairs = {}, chain }, run) =>
    outputEvidence(run, async (io) => {
      const task = posterTask(run.plan(), 'batcher', chain);
      const args = Object.entries(pairs).map(([name, value]) => [name, String(value)] as const);
      if (action !== 'restart') return sayAction(io, run.devnet(), action, task);
      return changeNode(io, run.devnet(), task, { overrides: [], args, da }, { rewind: false, empty: false });
    }),
});
