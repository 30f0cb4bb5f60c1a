import type { Plan } from '../plan/plan.ts';
import type { FaultDocument } from '../state/faults.ts';
import { faultsOf, linkFault, type StandingFault } from './describe.ts';
import { shapedBy } from './shapes.ts';

/** Whether no byte passes the links of a fault: it explains more than a slow link does. */
export function isSeverance(fault: StandingFault): boolean {
  return fault.kind === 'partition' || (fault.kind === 'shaping' && (fault.cut === true || fault.drop === true));
}

/** Returns the fault that keeps two rollup nodes from gossip with each other; undefined: there is none. */
export function faultBetween(
  plan: Pick<Plan, 'network' | 'links'>,
  document: FaultDocument,
  one: string,
  other: string,
): StandingFault | undefined {
  const ends = [one, other];
  return faultsOf(document).find(
    (fault) =>
      isSeverance(fault) &&
      shapedBy(plan, linkFault(fault)).some(
        ({ link: { from, to, port } }) => port === 'p2p' && ends.includes(from) && ends.includes(to),
      ),
  );
}
