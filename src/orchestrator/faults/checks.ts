import { isAttached } from '../plan/lookup.ts';
import type { Plan } from '../plan/plan.ts';
import type { FaultDocument, GivenFault } from '../state/faults.ts';
import { faultsOf } from './describe.ts';
import { refusal } from './places.ts';
import type { GivenDocument } from './schema.ts';
import { mustTouch } from './shapes.ts';

/** @throws Failure `fault` (exit 2) if an id is that of no fault, with those that stand */
export function mustStand(document: FaultDocument, ids: readonly string[]): void {
  const all = faultsOf(document).map(({ id }) => id);
  const unknown = ids.find((id) => !all.includes(id));
  if (unknown === undefined) return;
  throw refusal(
    `there is no fault ${unknown}`,
    { id: unknown, expected: all },
    all.length === 0 ? 'no fault stands' : `expected one of ${all.join(', ')}; it may have ended by itself`,
  );
}

/** @throws Failure `fault` (exit 2) if the network lacks the links of a fault, or what it names */
export function mustFit(plan: Plan, faults: readonly GivenFault[]): void {
  if (faults.some((fault) => !('pool' in fault))) mustHaveLinks(plan);
  for (const fault of faults) mustTouch(plan, fault);
}

/** @throws Failure `fault` (exit 2) if a document has faults of links, and the network has none */
export function mustHaveLinksFor(plan: Plan, { partitions, shaping, rpc }: GivenDocument): void {
  if (partitions.length + shaping.length + rpc.length > 0) mustHaveLinks(plan);
}

/** @throws Failure `fault` (exit 2) if the network was started without `faults: true` */
export function mustHaveLinks(plan: Plan): void {
  const { links, devnet } = plan;
  if (links !== undefined) return;
  if (isAttached(plan))
    throw refusal(
      `${devnet} is attached: it runs elsewhere, without a supervisor whose links can fail`,
      { devnet },
      'disturb its machines there, or start a network on this machine with `faults: true`',
    );
  throw refusal(
    `${devnet} was started without links that can fail`,
    { devnet },
    'start it with `faults: true` in its spec, or with `devnet up --set faults=true`',
  );
}
