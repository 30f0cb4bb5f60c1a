import * as z from 'zod/mini';
import { choice, whole, withDescription } from '../../spec/schema/words.ts';
import { type Heads, headsAt } from '../../status/heads.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsNode } from '../facts.ts';
import { nameOf, nodesNamed } from '../places.ts';
import { passFor, type Verdict } from '../run.ts';
import { duration, nodeName } from '../words.ts';

type Kind = 'unsafe' | 'safe' | 'finalized';

/** Time (ms) for which a head that stands is watched. */
const WATCHED_MS = 5000;

const schema = z
  .strictObject({
    node: z.exactOptional(nodeName),
    kind: z._default(withDescription(choice('unsafe', 'safe', 'finalized'), 'which head'), 'unsafe'),
    advances: z.exactOptional(withDescription(whole(1, 100_000), 'by at least this many blocks from now on')),
    stands: z.exactOptional(withDescription(z.literal(true), 'it does not move for the time of `for`')),
    for: z.exactOptional(withDescription(duration, 'with stands: how long; default: 5s')),
    at: z.exactOptional(withDescription(whole(0, 1_000_000_000), 'it is at this block')),
    above: z.exactOptional(withDescription(whole(0, 1_000_000_000), 'it is above this block')),
    below: z.exactOptional(withDescription(whole(0, 1_000_000_000), 'it is below this block')),
  })
  .check(
    z.refine(
      (value) => [value.advances, value.stands, value.at, value.above, value.below].some((each) => each !== undefined),
      'one of advances, stands, at, above, below',
    ),
  );

/** The heads of all nodes, or of one, move or stand. */
export const head = defineExpectation({
  name: 'head',
  schema,
  check({ node, stands, for: length }, facts) {
    knowsNode(facts, ['head', 'node'], node);
    if (length !== undefined && stands !== true)
      facts.report(['head', 'for'], '"for" has no meaning without "stands"', { allowed: 'stands: true beside it' });
  },
  async begin(expected, run) {
    const read = () =>
      Promise.all(
        nodesNamed(run.plan(), expected.node).map(
          async (place) => [nameOf(place), numberOf(await headsAt(place.node.el.http), expected.kind)] as const,
        ),
      );
    const before = new Map(await read());
    if (expected.stands) await passFor(run, expected.for ?? WATCHED_MS);
    return async (): Promise<Verdict> => {
      const heads = await read();
      const evidence = { heads: Object.fromEntries(heads) };
      const reasons = heads.flatMap(([name, number]) => lacking(name, number, before.get(name) ?? -1, expected) ?? []);
      return reasons.length === 0 ? { holds: true, evidence } : { holds: false, because: reasons.join('; '), evidence };
    };
  },
});

function numberOf(heads: Heads, kind: Kind): number | undefined {
  return heads[kind]?.number ?? (heads.unsafe === null ? undefined : -1);
}

function lacking(
  name: string,
  number: number | undefined,
  before: number,
  { advances, stands, at, above, below, kind }: z.output<typeof schema>,
): string | undefined {
  const subject = `the ${kind} head of ${name}`;
  // A process that is down has a head that stands.
  if (number === undefined) return stands ? undefined : `${name} does not answer`;
  if (advances !== undefined && number < before + advances)
    return `${subject} went from block ${before} to ${number}, not by ${advances}`;
  if (stands && number !== before) return `${subject} moved from block ${before} to ${number}`;
  if (at !== undefined && number !== at) return `${subject} is block ${number}, not ${at}`;
  if (above !== undefined && number <= above) return `${subject} is block ${number}, not above ${above}`;
  if (below !== undefined && number >= below) return `${subject} is block ${number}, not below ${below}`;
  return undefined;
}
