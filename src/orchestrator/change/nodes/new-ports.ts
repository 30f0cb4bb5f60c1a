import type { LoadedSpec } from '../../load/loaded-spec.ts';
import type { Plan } from '../../plan/plan.ts';
import { type PortRequest, portRequests } from '../../plan/ports.ts';
import { findPorts } from '../../ports/allocate.ts';
import type { Paths } from '../../state/paths.ts';
import { portsOf } from '../plan-again.ts';

/** Distance between the preferred ports of two nodes. */
const PER_NODE = 10;

/** Slots of ten ports that are tried below and above the preferred one. */
const SLOTS = 50;

/**
 * Finds ports for the processes of a spec that a running network does not have yet. The notices say which moved.
 * @throws Failure `port` (exit 4) if one of `ports: fixed` is taken
 */
export async function portsOfNew(
  plan: Plan,
  { spec, clients }: LoadedSpec,
  paths: Paths,
  hiddenHost: string,
): Promise<{ readonly ports: Readonly<Record<string, number>>; readonly notices: readonly string[] }> {
  const earlier = portsOf(plan);
  const ownPorts = new Set(Object.values(earlier));
  const requests = portRequests(spec, clients, { host: hiddenHost, port: 1024 }).filter(({ key }) => !(key in earlier));
  return findPorts(inFreeSlot(requests, ownPorts), paths, ownPorts);
}

/** Moves the preferred numbers to the nearest slot of ten that the network does not use. Nodes that left freed some. */
function inFreeSlot(requests: readonly PortRequest[], ownPorts: ReadonlySet<number>): readonly PortRequest[] {
  const steps = Array.from({ length: SLOTS }, (_, index) => index * PER_NODE);
  const shifts = [0, ...steps.slice(1).flatMap((step) => [-step, step])];
  const isFree = (shift: number) =>
    requests.every(({ preferred }) => preferred + shift > 1023 && !ownPorts.has(preferred + shift));
  const shift = shifts.find(isFree) ?? 0;
  return requests.map((request) => ({ ...request, preferred: request.preferred + shift }));
}
