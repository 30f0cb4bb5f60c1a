import { randomInt } from 'node:crypto';
import { EXIT, Failure } from '../../system/failure.ts';
import { freePort, portIsFree } from '../../system/net/ports.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import type { PortRequest } from '../plan/ports.ts';
import type { Paths } from '../state/paths.ts';
import { byHolder, describeHolderOf, type HolderDetail, portsTaken, type TakenPort } from './port-holder.ts';
import { type PortChoice, portReservedBy, releasePorts, reservePort } from './reservations.ts';

export interface Allocation {
  /** Port numbers by the keys of the requests. */
  readonly ports: Readonly<Record<string, number>>;
  /** One message about all ports that moved, with the holders of the preferred ones. Empty: none moved. */
  readonly notices: readonly string[];
}

/** Range of automatic ports. It ends below the systems' ranges for outgoing connections. */
const AUTO_FROM = 20_000;
const AUTO_TO = 32_000;

/** How an allocation takes ports from others. */
interface Claims {
  /** Returns false if another has the port. */
  take(port: number, choice: PortChoice): boolean;
  /** Gives all of them back. */
  release(): void;
}

/**
 * Allocates a port for every request and reserves it for `owner` among all devnets of this user.
 * A port is the preferred number or the next free one. With `auto` it is any.
 * @throws Failure `port` (exit 4) with the holder of each `fixed` port that is taken; releases all reservations
 */
export function allocatePorts(
  requests: readonly PortRequest[],
  paths: Paths,
  owner: ProcessIdentity,
): Promise<Allocation> {
  return allocate(requests, paths, {
    take: (port, choice) => reservePort(paths, port, owner, choice),
    release: () => releasePorts(paths.home, { name: paths.name, supervisor: owner.pid }),
  });
}

/**
 * Finds a free port for every request of a devnet that runs, and reserves none. `ownPorts`: those that the devnet has.
 * @throws Failure `port` (exit 4) with the holder of each `fixed` port that is taken
 */
export function findPorts(
  requests: readonly PortRequest[],
  paths: Paths,
  ownPorts: ReadonlySet<number>,
): Promise<Allocation> {
  return allocate(requests, paths, {
    take: (port, choice) => !ownPorts.has(port) && portReservedBy(paths, port, choice) === undefined,
    release: () => undefined,
  });
}

async function allocate(requests: readonly PortRequest[], paths: Paths, claims: Claims): Promise<Allocation> {
  const ports: Record<string, number> = {};
  const moves: Move[] = [];
  const conflicts: TakenPort[] = [];
  const used = new Set<number>();
  const take = (port: number, choice: PortChoice): boolean => {
    if (used.has(port) || !claims.take(port, choice)) return false;
    used.add(port);
    return true;
  };
  const takenBy = ({ key, preferred }: PortRequest) => {
    return { key, port: preferred, holder: holderOf(preferred, paths, used) };
  };
  // Assigns requested ports first, so that automatic ports cannot take them.
  const requested = requests.filter(({ policy }) => policy !== 'auto');
  const free = await Promise.all(
    requested.map(({ host, preferred, transport }) => portIsFree(host, preferred, transport)),
  );
  const open: PortRequest[] = requests.filter(({ policy }) => policy === 'auto');
  requested.forEach((request, at) => {
    if (free[at] === true && take(request.preferred, 'named')) ports[request.key] = request.preferred;
    else if (request.policy === 'fixed') conflicts.push(takenBy(request));
    else open.push(request);
  });
  if (conflicts.length > 0) {
    claims.release();
    throw portsTaken(conflicts, 'end the process, give another port, or let the network choose: `ports: preferred`');
  }
  for (const request of open) {
    const port = await nextFree(request, (each) => take(each, 'any'));
    ports[request.key] = port;
    const { key, preferred } = request;
    if (request.policy !== 'preferred') continue;
    const holder = holderOf(preferred, paths, used, 'devnet');
    moves.push({ key, preferred, port, holder });
  }
  return { ports, notices: moves.length === 0 ? [] : [movesText(moves)] };
}

/** A port that is another one than the preferred number. */
interface Move {
  readonly key: string;
  readonly preferred: number;
  readonly port: number;
  readonly holder: string;
}

/** Ports of one holder that a notice names. */
const NAMED_PORTS = 4;

/**
 * Formats all ports that moved as one line. Beside another network nearly all of them do, and are counted: the main
 * ones stand in the summary of the start.
 */
function movesText(moves: readonly Move[]): string {
  const [first, ...others] = moves;
  if (first !== undefined && others.length === 0)
    return `port ${first.preferred} is taken (${first.holder}): ${first.key} moves to ${first.port}`;
  const parts = byHolder(moves, (ports, holder) =>
    ports.length > NAMED_PORTS
      ? `${ports.length} of ${holder}`
      : `${ports.map(({ key, preferred, port }) => `${preferred} (${key}) to ${port}`).join(', ')}: ${holder}`,
  );
  return `${moves.length} ports are taken and move: ${parts}`;
}

async function nextFree(
  { key, host, policy, preferred, transport }: PortRequest,
  take: (port: number) => boolean,
): Promise<number> {
  const first = policy === 'auto' ? randomInt(AUTO_FROM, AUTO_TO) : Math.min(Math.max(preferred + 1, 1024), 65_535);
  const excluded = new Set<number>();
  while (excluded.size < 20_000) {
    const port = await freePort(host, [first, 65_535], excluded);
    if ((transport === 'tcp' || (await portIsFree(host, port, transport))) && take(port)) return port;
    excluded.add(port);
  }
  throw new Failure('port', `no free port for ${key}`, { exit: EXIT.lacking });
}

/** Describes what holds a port: a process, another devnet's reservation, or one of `used`, this devnet's ports. */
export function holderOf(
  port: number,
  paths: Paths,
  used: ReadonlySet<number> = new Set(),
  detail: HolderDetail = 'process',
): string {
  return (
    describeHolderOf(port, detail) ??
    portReservedBy(paths, port) ??
    (used.has(port) ? 'another port of this devnet' : 'a process that the system does not name')
  );
}
