import * as z from 'zod/mini';
import { parseDuration } from '../../../system/program/options.ts';
import { activationsOf } from '../../change/warp.ts';
import type { ChainView } from '../../plan/plan.ts';
import { key, text, withDescription } from '../../spec/schema/words.ts';
import { nearest } from '../../spec/text/nearest.ts';
import { blockAt } from '../../status/forks.ts';
import { type Facts, knowsChain } from '../facts.ts';
import { defineStep } from '../step.ts';
import { chainName } from '../words.ts';

const BY = /^\+\d/;

const TARGETS = 'block:N, fork:NAME, time:SECONDS, or +30s';

const TARGET = /^(block:\d{1,9}|fork:\w+|time:\d{1,11})$/;

/** Whether a text names a block, a fork or a time, or is a plus and a duration. */
const isTarget = (to: string) => (to.startsWith('+') ? (parseDuration(to.slice(1)) ?? 0) > 0 : TARGET.test(to));

const long = z.strictObject({
  to: withDescription(text, TARGETS),
  past: key(z.boolean(), 'with fork: into its first block; default: to the last block before it'),
  chain: z.exactOptional(chainName),
});

/** Moves the network's clock. With a client that reads the machine's clock, it waits for as long. */
export const warp = defineStep({
  name: 'warp',
  summary:
    "Moves the network's clock slot by slot: every block in between is built, posted and derived. A network whose " +
    'time cannot be moved is waited for.',
  schema: z.union([
    z.codec(z.string('+30s, +1h').check(z.regex(BY, '+30s, +1h')), z.custom<z.output<typeof long>>(), {
      decode: (to) => ({ to }),
      encode: () => z.NEVER,
    }),
    long,
  ]),
  check({ to, chain, past }, facts) {
    const { plan, report, timeline } = facts;
    if (!isTarget(to)) return report(['to'], `found ${JSON.stringify(to)}`, { allowed: TARGETS });
    if (!knowsChain(facts, ['chain'], chain)) return;
    const [first, ...others] = plan.network.chains;
    const view = plan.network.chains.find(({ name }) => name === (chain ?? first?.name));
    if (chain === undefined && others.length > 0 && /^(block|fork):/.test(to))
      report([], 'the devnet has several chains', { allowed: 'chain: NAME beside it' });
    if (view === undefined) return;
    const [kind, word = ''] = to.split(':');
    if (kind === 'fork' && timeline.movedForks.has(`${view.name} ${word}`)) return;
    if (past !== undefined && kind !== 'fork') report(['past'], '"past" has a meaning with fork:NAME only');
    const reached = timeline.reached.get(view.name) ?? 0;
    const blocks =
      kind === 'block' ? [Number(word)] : kind === 'fork' ? forkBlocks(facts, view, word, past ?? false) : [];
    const target = blocks.find((block) => block > reached) ?? blocks.at(-1);
    if (target === undefined) return;
    if (target < reached)
      report(['to'], `block ${target} is behind block ${reached}, which an earlier step has reached`, {
        allowed: 'a later block: time moves forward only',
      });
    timeline.reached.set(view.name, Math.max(target, reached));
  },
  run: ({ to, past = false, chain }, { time }) => time.warp({ to, past, chain }),
});

/**
 * Returns the blocks to which a warp to a fork may lead, in rising order. Each time on a node makes one.
 * Reports a fork that activates on no node after genesis.
 */
function forkBlocks({ plan, report }: Facts, chain: ChainView, fork: string, past: boolean): readonly number[] {
  const isLater = (time: number) => time > plan.genesisTime;
  const times = activationsOf(fork, chain);
  const blocks = times.filter(isLater).map((time) => blockAt(time, plan.genesisTime, chain.blockTime) - (past ? 0 : 1));
  if (blocks.length > 0) return blocks;
  const names = [...Object.keys(chain.forks), ...chain.nodes.flatMap(({ overrides }) => Object.keys(overrides))];
  const coming = [...new Set(names)].filter((each) => activationsOf(each, chain).some(isLater));
  const near = nearest(fork, coming);
  const reason =
    times.length === 0
      ? `${fork} never activates on ${chain.name}`
      : `${fork} is active on ${chain.name} from genesis on: there is no block before it`;
  report(['to'], reason, {
    allowed: [...coming.map((each) => `fork:${each}`), 'block:N, time:SECONDS, or +30s'].join(', '),
    nearest: near === undefined ? undefined : `fork:${near}`,
  });
  return [];
}
