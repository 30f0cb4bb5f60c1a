import * as z from 'zod/mini';
import { moveSequencer } from '../../change/nodes/move-sequencer.ts';
import { withDescription } from '../../spec/schema/words.ts';
import { outputEvidence } from '../evidence.ts';
import { knowsNode } from '../facts.ts';
import { withSequencer } from '../node-set.ts';
import { nodesNamed } from '../places.ts';
import { defineStep, type Evidence } from '../step.ts';
import { as, nodeName } from '../words.ts';

/** Gives the sequencer's role to another node. */
export const sequencer = defineStep({
  name: 'sequencer',
  summary: "Gives the sequencer's role of a chain to another of its nodes.",
  schema: z.strictObject({ move: withDescription(nodeName, 'the next sequencer: NAME, or CHAIN/NAME'), as }),
  gives: ['block', 'hash'],
  check({ move }, facts) {
    if (!knowsNode(facts, ['move'], move)) return;
    const [place] = nodesNamed(facts.plan, move);
    if (place === undefined) return;
    if (place.node.role === 'sequencer') facts.report(['move'], `"${move}" is the sequencer already`);
    facts.become(withSequencer(facts.plan, place.chain, place.node));
  },
  async run({ move }, run) {
    let last: Evidence = {};
    const output = await outputEvidence(run, async (io) => {
      const { chain, from, to, block, hash, forwarded } = await moveSequencer(io, run.devnet(), move);
      io.stderr(`${chain}: ${to} is the sequencer from block ${block + 1} on, ${from} a verifier\n`);
      last = { block, hash, forwarded };
    });
    return { ...output, ...last };
  },
});
