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
  async begin(expected, run) {
    return async () => {
      const { divergences } = await checkNetwork(run.plan(), {});
      const ofNode = divergences.filter(({ chain, nodes }) =>
        nodes.some((node) => expected.node === node || expected.node === `${chain}/${node}`),
      );
      const [first] = ofNode;
      if (first === undefined) {
        const others = divergences.flatMap(({ nodes }) => nodes).join(', ');
        const because = `${expected.node} agrees with the others${others === '' ? '' : `; ${others} diverges`}`;
        return { holds: false, because, evidence: { divergences } };
      }
      const fits = ofNode.find((each) => lacking(expected, each) === undefined);
      return fits === undefined
        ? { holds: false, because: lacking(expected, first) ?? '', evidence: { divergence: first } }
        : { holds: true, evidence: { divergence: fits } };
    };
  },
});

function lacking(expected: z.output<typeof schema>, actual: Divergence): string | undefined {
  if (expected.block !== undefined && expected.block !== actual.block)
    return `${expected.node} diverges at block ${actual.block}, not at ${expected.block}: ${actual.reason}`;
  if (expected.kind !== undefined && expected.kind !== actual.kind)
    return `${expected.node} diverges by "${actual.kind}", not by "${expected.kind}": ${actual.reason}`;
  if (expected.field !== undefined && !actual.fields.includes(expected.field))
    return `${expected.field} is the same in block ${actual.block}; these fields differ: ${actual.fields.join(', ')}`;
  return undefined;
}
