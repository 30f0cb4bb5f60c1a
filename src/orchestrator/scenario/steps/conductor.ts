import * as z from 'zod/mini';
import { transferLead } from '../../change/conductor.ts';
import { withDescription } from '../../spec/schema/words.ts';
import { knowsNode } from '../facts.ts';
import { nodesNamed } from '../places.ts';
import { defineStep } from '../step.ts';
import { as, nodeName } from '../words.ts';

/** Gives the lead of a set of sequencers to another of them. */
export const conductor = defineStep({
  name: 'conductor',
  summary: 'Gives the lead of a set of sequencers to another of them.',
  schema: z.strictObject({
    transfer: withDescription(nodeName, 'the next leader: NAME, or CHAIN/NAME'),
    as,
  }),
  gives: ['leader', 'term'],
  check({ transfer }, facts) {
    if (!knowsNode(facts, ['transfer'], transfer)) return;
    const [place] = nodesNamed(facts.plan, transfer);
    if (place?.chain.conductor === undefined)
      facts.report(['transfer'], `the chain of ${transfer} has no conductor`, {
        allowed: 'a sequencer of a chain with conductor: true',
      });
    else if (place.node.role !== 'sequencer') facts.report(['transfer'], `${transfer} is not a sequencer`);
  },
  async run({ transfer }, run) {
    const chain = nodesNamed(run.plan(), transfer)[0]?.chain.name;
    const { leader, term } = await transferLead(run.devnet(), transfer, chain);
    return { leader: String(leader), term };
  },
});
