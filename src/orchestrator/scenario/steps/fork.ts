import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { moveForks } from '../../change/move-forks.ts';
import { isAttached } from '../../plan/lookup.ts';
import { forkTimes } from '../../spec/schema/chain.ts';
import { FORK_NAMES } from '../../spec/schema/fork-names.ts';
import { forkTimeWord } from '../../spec/schema/values.ts';
import { key, withDescription } from '../../spec/schema/words.ts';
import { knowsChain } from '../facts.ts';
import { chainNamed } from '../places.ts';
import { defineStep } from '../step.ts';
import { chainName } from '../words.ts';

/** Moves forks of a whole running chain. */
export const fork = defineStep({
  name: 'fork',
  summary: 'Moves forks of a whole running chain to other times, as `devnet fork` does.',
  schema: z.strictObject({
    move: withDescription(forkTimes, 'activation times by fork'),
    chain: z.exactOptional(chainName),
    rewind: key(z.boolean(), 'if heads are past a moved activation, go back to the block before it'),
  }),
  check({ chain, move }, facts) {
    if (isAttached(facts.plan))
      facts.report([], 'this network runs elsewhere, and its forks are moved there', { allowed: 'wait: fork:NAME' });
    const view = knowsChain(facts, ['chain'], chain) ? chainNamed(facts.plan, chain) : undefined;
    if (Object.keys(move).length === 0) facts.report(['move'], 'no fork is named', { allowed: FORK_NAMES.join(', ') });
    for (const name of Object.keys(move)) {
      facts.timeline.movedForks.add(`${view?.name} ${name}`);
      const time = view?.forks[name];
      if (typeof time === 'number' && time <= facts.plan.genesisTime)
        facts.report(['move', name], `${name} is active at genesis of ${view?.name} and cannot move`, {
          allowed: 'a fork that activates after genesis, or never',
        });
    }
  },
  async run({ move, chain, rewind = false }, run) {
    const name = present(chainNamed(run.plan(), chain), 'chain of a fork step').name;
    const forks = Object.entries(move).map(([each, time]) => [each, forkTimeWord(time)] as const);
    const moved = await moveForks(run.io, run.devnet(), {
      chain: name,
      forks,
      rewind,
      rewindHint: 'give the step `rewind: true`',
    });
    await run.time.settle();
    return { ...moved };
  },
});
