import * as z from 'zod/mini';
import { l1Resumed, reorganiseL1, resumeL1, stallL1 } from '../../change/l1.ts';
import { choice, key, whole, withDescription } from '../../spec/schema/words.ts';
import { defineStep, type Evidence, type Run } from '../step.ts';
import { as, duration, hash } from '../words.ts';

const drop = z.array(hash, 'a list of hashes').check(z.maxLength(20, 'at most 20'));

const long = z
  .strictObject({
    reorg: key(whole(1, 128), 'replaces so many of the newest blocks'),
    drop: key(drop, 'with reorg: transactions that are left out'),
    stall: key(duration, 'makes no block for this time of the network, and waits'),
    as,
  })
  .check(z.refine(({ reorg, stall }) => (reorg === undefined) !== (stall === undefined), 'either reorg or stall'))
  .check(z.refine(({ reorg, drop }) => drop === undefined || reorg !== undefined, 'drop with reorg'));

/** Reorganises or stalls L1. */
export const l1 = defineStep({
  name: 'l1',
  summary: 'Reorganises or stalls L1. A stall of `stall` alone lasts until `resume`.',
  schema: z.union([
    withDescription(choice('stall', 'resume'), 'makes no block from now on, or makes blocks again'),
    long,
  ]),
  gives: ['common', 'from', 'to', 'sent'],
  check(_, { plan, report }) {
    if (plan.tasks.some(({ id, clock }) => id === 'l1-beacon' && clock === 'network')) return;
    report([], 'no l1-beacon makes the blocks of this L1', { allowed: 'a devnet with an L1 of its own' });
  },
  async run(value, run): Promise<Evidence> {
    if (value === 'stall') await stallL1(run.devnet());
    else if (value === 'resume') await resumeL1(run.devnet());
    else if (value.stall !== undefined) return stallFor(value.stall, run);
    else {
      const reorg = await reorganiseL1(run.devnet(), value.reorg ?? 0, value.drop ?? []);
      await run.time.settle();
      return { ...reorg };
    }
    return {};
  },
});

/** Stalls L1, and lets the time of the stall pass. */
async function stallFor(ms: number, { devnet, time, signal }: Run): Promise<Evidence> {
  const { until } = await stallL1(devnet(), ms);
  if (time.kind === 'wall') await l1Resumed(devnet(), signal);
  else while (time.now() < (until ?? 0)) await time.pass(ms);
  signal.throwIfAborted();
  return { until };
}
