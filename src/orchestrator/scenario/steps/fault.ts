import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { Failure } from '../../../system/failure.ts';
import { addFault, healFaults } from '../../change/faults.ts';
import { mustHaveLinks } from '../../faults/checks.ts';
import { givenText } from '../../faults/describe.ts';
import { partition, rpc, shapes, shaping } from '../../faults/schema.ts';
import { mustTouch } from '../../faults/shapes.ts';
import { choice, key, text, withDescription } from '../../spec/schema/words.ts';
import { type GivenFault, RPC_ANSWERS } from '../../state/faults.ts';
import { defineStep } from '../step.ts';
import { as, duration } from '../words.ts';

const KINDS = ['partition', 'target', 'rpc', 'heal'] as const;

const schema = z
  .strictObject({
    partition: key(partition.shape.groups, 'groups of nodes without a connection between them'),
    target: key(text, 'links: NODE, A-B, l1, beacon, batcher, proposer, each with :LINK; with delay, cut and others'),
    rpc: key(text, 'wrong answers of NODE, l1 or beacon; with method and answer'),
    method: key(text, 'with rpc: a method; of a beacon node a word of a path: blob_sidecars'),
    answer: key(choice(...RPC_ANSWERS), 'with rpc: what is answered in place of the right answer'),
    heal: key(z.union([z.literal('all'), withDescription(text, 'the id of a fault')]), 'ends a fault, or all'),
    id: key(text, 'name of the fault, for heal; default: a number'),
    for: key(duration, 'ends it after this time of the network, while later steps run'),
    ...shapes,
    as,
  })
  .check(
    z.refine(
      (value) => KINDS.filter((kind) => value[kind] !== undefined).length === 1,
      'exactly one of partition, target, rpc, heal',
    ),
  )
  .check(
    z.refine(
      ({ rpc, method, answer }) => [method, answer].every((each) => (each === undefined) === (rpc === undefined)),
      'rpc with method and answer',
    ),
  );

type Step = z.output<typeof schema>;

/** Puts a fault on links, or heals one. */
export const fault = defineStep({
  name: 'fault',
  summary: 'Divides the network, makes links slow, lossy, cut or silent, or answers wrongly, as `devnet fault` does.',
  schema,
  gives: ['id'],
  needsLinks: true,
  check(step, { plan, report }) {
    try {
      mustHaveLinks(plan);
      const wish = faultOf(step);
      if (wish !== undefined) mustTouch(plan, wish);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const path = (['partition', 'target', 'rpc'] as const).filter((each) => step[each] !== undefined);
      report(path, error.message, error.hint === undefined ? {} : { allowed: error.hint });
    }
    for (const message of contradictionsOf(faultOf(step))) report([], message);
  },
  async run(step, run) {
    const devnet = run.devnet();
    const wish = faultOf(step);
    if (wish === undefined) {
      const heal = present(step.heal, 'id of a fault');
      return { healed: await healFaults(devnet, heal === 'all' ? 'all' : [heal]) };
    }
    const id = await addFault(devnet, wish, step.for);
    return { id, fault: givenText(wish) };
  },
});

type StepFault = Exclude<GivenFault, { readonly pool: unknown }>;

/** Lists what the supervisor would refuse of a fault. */
function contradictionsOf(fault: StepFault | undefined): readonly string[] {
  if (fault === undefined) return [];
  const { error } =
    'partition' in fault
      ? z.safeParse(partition, fault.partition)
      : 'rpc' in fault
        ? z.safeParse(rpc, fault.rpc)
        : z.safeParse(shaping, fault.shaping);
  return error === undefined ? [] : error.issues.map(({ message }) => message);
}

/** Returns the fault of a step; undefined: it heals one. */
function faultOf(step: Step): StepFault | undefined {
  const { partition: groups, target, rpc: server, method, answer, heal: _, for: __, as: ___, id, ...shape } = step;
  const ids = id === undefined ? {} : { id };
  if (groups !== undefined) return { partition: { groups, ...ids } };
  if (server !== undefined && method !== undefined && answer !== undefined)
    return { rpc: { target: server, method, answer, ...ids } };
  return target === undefined ? undefined : { shaping: { target, ...shape, ...ids } };
}
