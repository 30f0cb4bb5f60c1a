import * as z from 'zod/mini';
import { sayAction } from '../../change/act-on-node.ts';
import { changeNode } from '../../change/change-node.ts';
import { choice, key, withDescription } from '../../spec/schema/words.ts';
import { outputEvidence } from '../evidence.ts';
import { knowsChain, runsHere } from '../facts.ts';
import { chainNamed } from '../places.ts';
import { defineStep } from '../step.ts';
import { chainName } from '../words.ts';
import { args } from './node.ts';

const ACTIONS = ['stop', 'start', 'kill', 'pause', 'resume', 'restart'] as const;

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
    if (chain?.batcher === undefined)
      facts.report([], `${chain?.name} has no batcher`, { allowed: 'a chain with one' });
    else runsHere(facts, [], chain.batcher.task);
    if (value.do !== 'restart')
      for (const change of (['da', 'args'] as const).filter((each) => value[each] !== undefined))
        facts.report([change], `"${change}" changes nothing with ${value.do}`, { allowed: 'with restart' });
  },
  run: ({ do: action, da, args: pairs = {}, chain }, run) =>
    outputEvidence(run, async (io) => {
      const task = chainNamed(run.plan(), chain)?.batcher?.task ?? 'batcher';
      const args = Object.entries(pairs).map(([name, value]) => [name, String(value)] as const);
      if (action !== 'restart') return sayAction(io, run.devnet(), action, task);
      return changeNode(io, run.devnet(), task, { overrides: [], args, da }, { rewind: false, empty: false });
    }),
});
