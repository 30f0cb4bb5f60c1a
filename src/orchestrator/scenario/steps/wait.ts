import * as z from 'zod/mini';
import { freshState } from '../../devnet/fresh-state.ts';
import { withDescription } from '../../spec/schema/words.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { activationOf } from '../../status/forks.ts';
import { CONDITION, type Condition, nearestCondition, parseCondition } from '../../wait/condition.ts';
import { missingIn } from '../../wait/wait.ts';
import { type Facts, knowsNode } from '../facts.ts';
import { nameOf, nodesNamed } from '../places.ts';
import { untilHolds } from '../run.ts';
import { defineStep } from '../step.ts';
import { duration, nodeName } from '../words.ts';

/** Time (ms) after which a wait fails. */
const WAIT_TIMEOUT_MS = 60_000;

const condition = withDescription(
  z.codec(z.string(CONDITION), z.custom<Condition>(), {
    decode(written, payload) {
      const condition = parseCondition(written);
      if (condition !== undefined) return condition;
      const near = nearestCondition(written, nearest);
      const message = near === undefined ? CONDITION : `${CONDITION} (did you mean ${near}?)`;
      payload.issues.push({ code: 'custom', message, input: written });
      return z.NEVER;
    },
    encode: () => z.NEVER,
  }),
  CONDITION,
);

const whole = z.strictObject({
  for: condition,
  node: z.exactOptional(nodeName),
  timeout: z.exactOptional(withDescription(duration, 'fail after this time; default: 60s')),
});

const short = z.codec(z.string(), z.custom<z.output<typeof whole>>(), {
  decode(written, payload) {
    const [text = '', at, ...more] = written.split(/ @| +/);
    const read = z.safeParse(whole, { for: text, ...(at === undefined ? {} : { node: at }) });
    if (read.success && more.length === 0) return read.data;
    const message = read.error?.issues[0]?.message ?? CONDITION;
    payload.issues.push({ code: 'custom', message: `${message}, and @NODE after it for one node`, input: written });
    return z.NEVER;
  },
  encode: () => z.NEVER,
});

/** Waits for what `devnet wait` waits for. */
export const wait = defineStep({
  name: 'wait',
  summary: 'Waits for a condition, on every node or on one.',
  schema: z.union([short, whole]),
  check({ for: condition, node }, facts) {
    if (!knowsNode(facts, ['node'], node)) return;
    if (condition.kind === 'fork') mustActivate(facts, condition.fork, node);
    if (condition.kind !== 'unsafe' || node !== undefined) return;
    for (const { name } of facts.plan.network.chains)
      facts.timeline.reached.set(name, Math.max(condition.number, facts.timeline.reached.get(name) ?? 0));
  },
  run: ({ for: condition, node, timeout = WAIT_TIMEOUT_MS }, run) =>
    untilHolds(run, timeout, async () => {
      const open = await missingIn(run.plan(), condition, node, () => freshState(run.devnet()));
      return open === undefined ? { holds: true, evidence: {} } : { holds: false, because: open };
    }),
});

/** Reports a fork that some of the nodes never activate. */
function mustActivate({ plan, report, timeline }: Facts, fork: string, word: string | undefined): void {
  const nodes = nodesNamed(plan, word).filter(({ chain }) => !timeline.movedForks.has(`${chain.name} ${fork}`));
  const without = nodes.filter(({ chain, node }) => activationOf(fork, chain, node) === null);
  if (without.length === 0) return;
  const forks = new Set(
    nodes.flatMap(({ chain, node }) =>
      Object.keys({ ...chain.forks, ...node.overrides }).filter((each) => activationOf(each, chain, node) !== null),
    ),
  );
  report(['for'], `${fork} never activates on ${without.map(nameOf).join(', ')}`, {
    allowed: [...forks].join(', '),
    nearest: nearest(fork, forks),
  });
}
