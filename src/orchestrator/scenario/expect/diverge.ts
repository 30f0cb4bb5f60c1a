import * as z from 'zod/mini';
import { checkNetwork } from '../../divergence/check/check.ts';
import type { Divergence } from '../../divergence/compare.ts';
import { choice, text, withDescription } from '../../spec/schema/words.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsNode } from '../facts.ts';
import { blockNumber, nodeName } from '../words.ts';

const schema = z.strictObject({
  node: nodeName,
  block: z.exactOptional(withDescription(blockNumber, 'the first block that differs')),
  field: z.exactOptional(withDescription(text, 'a header field that differs, such as extraData')),
  kind: z.exactOptional(withDescription(choice('hash', 'refused', 'behind'), 'how it diverges')),
});

/** A node has other blocks than the others. */
export const diverge = defineExpectation({
  name: 'diverge',
  schema,
  check: ({ node }, facts) => void knowsNode(facts, ['diverge', 'node'], node),
  async begin(wanted, run) {
    return async () => {
      const { divergences } = await checkNetwork(run.plan(), {});
      const own = divergences.filter(({ chain, nodes }) =>
        nodes.some((node) => wanted.node === node || wanted.node === `${chain}/${node}`),
      );
      const [found] = own;
      if (found === undefined) {
        const others = divergences.flatMap(({ nodes }) => nodes).join(', ');
        const because = `${wanted.node} agrees with the others${others === '' ? '' : `; ${others} diverges`}`;
        return { holds: false, because, evidence: { divergences } };
      }
      const fits = own.find((each) => lacking(wanted, each) === undefined);
      return fits === undefined
        ? { holds: false, because: lacking(wanted, found) ?? '', evidence: { divergence: found } }
        : { holds: true, evidence: { divergence: fits } };
    };
  },
});

function lacking(wanted: z.output<typeof schema>, found: Divergence): string | undefined {
  if (wanted.block !== undefined && wanted.block !== found.block)
    return `${wanted.node} diverges at block ${found.block}, not at ${wanted.block}: ${found.reason}`;
  if (wanted.kind !== undefined && wanted.kind !== found.kind)
    return `${wanted.node} diverges by "${found.kind}", not by "${wanted.kind}": ${found.reason}`;
  if (wanted.field !== undefined && !found.fields.includes(wanted.field))
    return `${wanted.field} is the same in block ${found.block}; these fields differ: ${found.fields.join(', ')}`;
  return undefined;
}
