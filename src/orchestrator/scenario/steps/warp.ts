import * as z from 'zod/mini';
import { wallClockNotice } from '../../plan/wall-clock.ts';
import { key, text, withDescription } from '../../spec/schema/words.ts';
import { knowsChain } from '../facts.ts';
import { defineStep } from '../step.ts';
import { chainName } from '../words.ts';

const BY = /^\+\d/;

const long = z.strictObject({
  to: withDescription(text, 'block:N, fork:NAME, time:SECONDS, or +30s'),
  past: key(z.boolean(), 'with fork: into its first block; default: to the last block before it'),
  chain: z.exactOptional(chainName),
});

/** Moves the network's clock. */
export const warp = defineStep({
  name: 'warp',
  summary: "Moves the network's clock slot by slot: every block in between is built, posted and derived.",
  schema: z.union([
    z.codec(z.string('+30s, +1h').check(z.regex(BY, '+30s, +1h')), z.custom<z.output<typeof long>>(), {
      decode: (to) => ({ to }),
      encode: () => z.NEVER,
    }),
    long,
  ]),
  check({ to, chain, past }, facts) {
    const { plan, report, timeline } = facts;
    const notice = wallClockNotice(plan.tasks);
    if (notice !== undefined) report([], notice, { allowed: 'wait' });
    if (!knowsChain(facts, ['chain'], chain)) return;
    const [first, ...others] = plan.network.chains;
    const view = plan.network.chains.find(({ name }) => name === (chain ?? first?.name));
    if (chain === undefined && others.length > 0 && /^(block|fork):/.test(to))
      report([], 'the devnet has several chains', { allowed: 'chain: NAME beside it' });
    if (view === undefined) return;
    const [kind = '', word = ''] = to.split(':');
    const fork = view.forks[word];
    if (kind === 'fork' && fork == null)
      return report(['to'], `${word} never activates on ${view.name}`, {
        allowed: Object.keys(view.forks)
          .map((each) => `fork:${each}`)
          .join(', '),
      });
    if (past !== undefined && kind !== 'fork') report(['past'], '"past" has a meaning with fork:NAME only');
    const target =
      kind === 'block'
        ? Number(word)
        : kind === 'fork' && typeof fork === 'number'
          ? Math.ceil((fork - plan.genesisTime) / view.blockTime) - (past ? 0 : 1)
          : undefined;
    const reached = timeline.reached.get(view.name) ?? 0;
    if (target !== undefined && target < reached)
      report(['to'], `block ${target} is behind block ${reached}, which an earlier step has reached`, {
        allowed: 'a later block: time moves forward only',
      });
    if (target !== undefined) timeline.reached.set(view.name, Math.max(target, reached));
    if (!/^(block:\d+|fork:\w+|time:\d+|\+\d.*)$/.test(to))
      report(['to'], `found ${JSON.stringify(to)}`, { allowed: 'block:N, fork:NAME, time:SECONDS, or +30s' });
  },
  run: ({ to, past = false, chain }, { time }) => time.warp({ to, past, chain }),
});
