import * as z from 'zod/mini';
import { checkNetwork } from '../../divergence/check/check.ts';
import { withDescription } from '../../spec/schema/words.ts';
import { type Heads, readHeads } from '../../status/heads.ts';
import { defineExpectation } from '../expectation.ts';

/** Blocks that a node may lack of those that stood when the step began: gossip takes time. */
const MAX_LAG_BLOCKS = 2;

/** All nodes have the same blocks, up to the highest one at the step's beginning. */
export const agree = defineExpectation({
  name: 'agree',
  schema: withDescription(z.boolean(), 'true: all nodes have the same blocks; false: they do not'),
  async begin(expected, run) {
    const highest = highestOf(await readHeads(run.plan()));
    return async () => {
      const plan = run.plan();
      const [{ agree: isAgreed, implementations, divergences, problems }, heads] = await Promise.all([
        checkNetwork(plan, {}),
        readHeads(plan),
      ]);
      const differences = [
        ...divergences.map(({ nodes, block, reason }) => `${nodes.join(', ')} at block ${block}: ${reason}`),
        ...[...heads].flatMap(([name, { unsafe }]) => {
          const least = (highest.get(chainOf(name)) ?? 0) - MAX_LAG_BLOCKS;
          return unsafe === null || unsafe.number >= least ? [] : [`${name} is at block ${unsafe.number} of ${least}`];
        }),
      ];
      // A node that does not answer neither agrees nor differs.
      const silences = problems.map(({ subject, what }) => `${subject} ${what}`);
      const isWhole = isAgreed && differences.length === 0 && silences.length === 0;
      const evidence = { agree: isWhole, implementations, ...(divergences.length === 0 ? {} : { divergences }) };
      if (expected ? isWhole : differences.length > 0) return { holds: true, evidence };
      const because = expected
        ? `the nodes do not agree: ${[...differences, ...silences].join('; ')}`
        : ['no node differs', ...silences].join('; ');
      return { holds: false, because, evidence };
    };
  },
});

/** Returns the highest block of each chain. */
function highestOf(heads: ReadonlyMap<string, Heads>): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const [name, { unsafe }] of heads)
    highest.set(chainOf(name), Math.max(unsafe?.number ?? 0, highest.get(chainOf(name)) ?? 0));
  return highest;
}

function chainOf(name: string): string {
  return name.replace(/\/.*/, '');
}
