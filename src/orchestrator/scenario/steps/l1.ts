import * as z from 'zod/mini';
import { messageOf } from '../../../system/failure.ts';
import { addFault, healFaults, readFaults } from '../../change/faults.ts';
import { l1Resumed, reorganiseL1, resumeL1, stallL1 } from '../../change/l1.ts';
import { setL1Finality } from '../../change/l1-finality.ts';
import { poolTarget } from '../../faults/pool.ts';
import { choice, key, text, whole, withDescription } from '../../spec/schema/words.ts';
import { POOL_ACTIONS } from '../../state/faults.ts';
import { defineStep, type Evidence, type Run } from '../step.ts';
import { as, duration, hash } from '../words.ts';

const drop = z.array(hash, 'a list of hashes').check(z.maxLength(20, 'at most 20'));

const long = z
  .strictObject({
    reorg: key(whole(1, 128), 'replaces so many of the newest blocks'),
    drop: key(drop, 'with reorg: transactions that are left out'),
    stall: key(duration, 'makes no block for this time of the network, and waits'),
    finality: key(choice('stop', 'go'), 'lets the safe and the finalized block stand still; needs faults: true'),
    pool: key(choice(...POOL_ACTIONS, 'heal'), 'what becomes of a transaction that waits; heal ends all of it'),
    of: key(text, 'with pool: a hash, or batcher or CHAIN/batcher for its next one'),
    epochs: key(whole(1, 1000), 'with pool: hold: so many epochs of 32 slots; default: until heal'),
    as,
  })
  .check(
    z.refine(
      ({ reorg, stall, finality, pool }) =>
        [reorg, stall, finality, pool].filter((each) => each !== undefined).length === 1,
      'exactly one of reorg, stall, finality, pool',
    ),
  )
  .check(z.refine(({ pool, of }) => (of !== undefined) === (pool !== undefined && pool !== 'heal'), 'pool with of'))
  .check(z.refine(({ pool, epochs }) => epochs === undefined || pool === 'hold', 'epochs with pool: hold'))
  .check(z.refine(({ reorg, drop }) => drop === undefined || reorg !== undefined, 'drop with reorg'));

/** Reorganises or stalls L1, or changes its pool. */
export const l1 = defineStep({
  name: 'l1',
  summary: 'Reorganises or stalls L1, or drops, replaces or holds what waits in its pool.',
  schema: z.union([
    withDescription(choice('stall', 'resume'), 'makes no block from now on, or makes blocks again'),
    long,
  ]),
  gives: ['common', 'from', 'to', 'sent', 'id'],
  check(value, { plan, report }) {
    if (typeof value === 'object' && value.of !== undefined && !value.of.includes('${'))
      try {
        poolTarget(plan, value.of);
      } catch (error) {
        report(['of'], messageOf(error), { allowed: 'a hash, batcher or CHAIN/batcher' });
      }
    if (typeof value === 'object' && value.finality !== undefined && plan.links === undefined)
      report(['finality'], 'the devnet has no links that can hold it', { allowed: '`faults: true` in its spec' });
    if (plan.tasks.some(({ id, clock }) => id === 'l1-beacon' && clock === 'network')) return;
    report([], 'no l1-beacon makes the blocks of this L1', { allowed: 'a devnet with an L1 of its own' });
  },
  async run(value, run): Promise<Evidence> {
    if (value === 'stall') await stallL1(run.devnet());
    else if (value === 'resume') await resumeL1(run.devnet());
    else if (value.stall !== undefined) return stallFor(value.stall, run);
    else if (value.finality !== undefined) return { final: await setL1Finality(run.devnet(), value.finality) };
    else if (value.pool !== undefined) return changePool(value.pool, value, run);
    else {
      const reorg = await reorganiseL1(run.devnet(), value.reorg ?? 0, value.drop ?? []);
      await run.time.settle();
      return { ...reorg };
    }
    return {};
  },
});

/** Adds a fault of L1's pool, or ends all. */
async function changePool(
  action: NonNullable<z.output<typeof long>['pool']>,
  { of = '', epochs }: Pick<z.output<typeof long>, 'of' | 'epochs'>,
  { devnet }: Run,
): Promise<Evidence> {
  if (action !== 'heal')
    return { id: await addFault(devnet(), { pool: { action, of, ...(epochs === undefined ? {} : { epochs }) } }) };
  const { pool } = await readFaults(devnet());
  const ids = pool.map(({ id }) => id);
  return { healed: ids.length === 0 ? ids : await healFaults(devnet(), ids) };
}

/** Stalls L1, and lets the time of the stall pass. */
async function stallFor(ms: number, { devnet, time, signal }: Run): Promise<Evidence> {
  const { until } = await stallL1(devnet(), ms);
  if (time.kind === 'wall') await l1Resumed(devnet(), signal);
  else while (time.now() < (until ?? 0)) await time.pass(ms);
  signal.throwIfAborted();
  return { until };
}
