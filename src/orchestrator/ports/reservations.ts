import { join } from 'node:path';
import { isJsonObject } from '../../rpc/json-object.ts';
import { namesIn, ownFolder, publishExclusive, readText, remove, removeExactly } from '../../system/files/folder.ts';
import { isPid } from '../../system/numbers/bounds.ts';
import { type ProcessIdentity, stillRuns } from '../../system/process/identity.ts';
import { pathsOf, portsFolder } from '../state/paths.ts';
import { readState } from '../state/state.ts';

/** A port that a devnet has reserved among all devnets of this user. */
interface Reservation extends ProcessIdentity {
  readonly home: string;
  readonly name: string;
}

/** A devnet of any home. */
type Devnet = Pick<Reservation, 'home' | 'name'>;

/** Why a devnet gets a port: the spec names the port, or any port will do. */
export type PortChoice = 'named' | 'any';

/**
 * Reserves a port among all devnets of this user, in any home. Returns false if another devnet has it.
 * That devnet runs, or is stopped and keeps its ports. One that was killed can start again, so that its ports go to
 * another devnet only by their number. A reservation whose owner is gone is replaced.
 */
export function reservePort(
  { home, name }: Devnet,
  port: number,
  owner: ProcessIdentity,
  choice: PortChoice = 'named',
): boolean {
  ownFolder(portsFolder());
  const file = fileOf(port);
  const text = JSON.stringify({ ...owner, home, name } satisfies Reservation);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (publishExclusive(file, text)) return true;
    const before = readText(file);
    if (before === undefined) continue;
    const holder = reservationIn(before);
    if (holder !== undefined) {
      const isOwn = isOf(holder, { home, name });
      if (!isOwn && isKept(holder, choice)) return false;
      if (isOwn && holder.pid !== owner.pid && stillRuns(holder)) return false;
    }
    removeExactly(file, before);
  }
  return false;
}

/** Returns the devnet that keeps a port from such a choice of another one, undefined if none does. */
export function portReservedBy(devnet: Devnet, port: number, choice: PortChoice = 'named'): string | undefined {
  const holder = reservationOf(fileOf(port));
  if (holder === undefined || isOf(holder, devnet) || !isKept(holder, choice)) return undefined;
  return `the devnet ${holder.name}${holder.home === devnet.home ? '' : ` of the home ${holder.home}`}`;
}

/** Removes the reservations in a home of a devnet, of a supervisor, or of one supervisor of a devnet. */
export function releasePorts(home: string, { name, supervisor }: { name?: string; supervisor?: number }): void {
  for (const { file, holder } of reservations())
    if (holder.home === home && holder.name === (name ?? holder.name) && holder.pid === (supervisor ?? holder.pid))
      remove(file);
}

/** Removes the reservations of some ports that a devnet has. */
export function releaseOwnPorts(devnet: Devnet, ports: readonly number[]): void {
  for (const port of ports) {
    const holder = reservationOf(fileOf(port));
    if (holder !== undefined && isOf(holder, devnet)) remove(fileOf(port));
  }
}

/** Removes the reservations of devnets that neither run nor can start again. */
export function releaseStale(): void {
  for (const { file, text, holder } of reservations()) if (!isKept(holder, 'any')) removeExactly(file, text);
}

/** Returns the reservation files of a devnet. */
export function reservationsOf(devnet: Devnet): string[] {
  return reservations()
    .filter(({ holder }) => isOf(holder, devnet))
    .map(({ file }) => file);
}

function reservations(): { readonly file: string; readonly text: string; readonly holder: Reservation }[] {
  // Beside them are unfinished files of processes that reserve at this moment.
  const ports = namesIn(portsFolder()).filter((name) => /^\d+$/.test(name));
  return ports.flatMap((port) => {
    const file = fileOf(port);
    const text = readText(file) ?? '';
    const holder = reservationIn(text);
    return holder === undefined ? [] : [{ file, text, holder }];
  });
}

function fileOf(port: number | string): string {
  return join(portsFolder(), String(port));
}

function isOf(holder: Reservation, { home, name }: Devnet): boolean {
  return holder.home === home && holder.name === name;
}

/** Whether a devnet keeps its port from such a choice of another one. */
function isKept(holder: Reservation, choice: PortChoice): boolean {
  if (stillRuns(holder)) return true;
  try {
    const file = readState(pathsOf(holder.home, holder.name).state);
    return file.kind === 'state' && (choice === 'any' || file.state.phase === 'stopped');
  } catch {
    return false;
  }
}

function reservationOf(file: string): Reservation | undefined {
  return reservationIn(readText(file) ?? '');
}

function reservationIn(text: string): Reservation | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isReservation(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isReservation(value: unknown): value is Reservation {
  return (
    isJsonObject(value) &&
    ['home', 'name', 'started', 'boot'].every((key) => typeof value[key] === 'string') &&
    isPid(value['pid'])
  );
}
