import { Failure } from '../../../system/failure.ts';
import type { ProcessIdentity } from '../../../system/process/identity.ts';
import type { Plan } from '../../plan/plan.ts';
import { releaseOwnPorts, reservePort } from '../../ports/reservations.ts';
import type { Paths } from '../../state/paths.ts';

/** What holds the ports of a running devnet. */
interface PortOwner {
  readonly paths: Paths;
  /** The supervisor. */
  readonly self: ProcessIdentity;
}

/** Reserves ports for the supervisor. @throws Failure `conflict`, and reserves none, if another devnet took one */
export function reservePorts(ports: readonly number[], { paths, self }: PortOwner): readonly number[] {
  const other = ports.find((port, at) => {
    if (reservePort(paths, port, self)) return false;
    releaseOwnPorts(paths, ports.slice(0, at));
    return true;
  });
  if (other === undefined) return ports;
  throw new Failure('conflict', `port ${other} was taken by another devnet meanwhile: run the command again`);
}

/** Returns the ports of a plan that another one lacks. */
export function newPorts(before: Plan, after: Plan): readonly number[] {
  const numbers = ({ ports = {}, tasks, links = [] }: Plan) =>
    new Set([
      ...Object.values(ports),
      ...[...tasks.flatMap((task) => task.ports), ...links.map(({ listen }) => listen)].map(({ port }) => port),
    ]);
  const earlier = numbers(before);
  return [...numbers(after)].filter((port) => !earlier.has(port));
}
