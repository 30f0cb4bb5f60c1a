import { join } from 'node:path';
import { isJsonObject } from '../../rpc/json-object.ts';
import { namesIn, privateFolder, publishExclusive, readText, remove, removeExactly } from '../../system/folder.ts';
import { type ProcessIdentity, stillRuns } from '../../system/process-identity.ts';
import { type Paths, pathsOf, portsFolder } from './paths.ts';
import { readState } from './state.ts';

/** A reserved port of a devnet of this home. */
interface Reservation extends ProcessIdentity {
  readonly name: string;
}

/**
 * Reserves a port among all devnets of this home. Returns false where another devnet has it.
 * That devnet runs, or is stopped and keeps its ports. A reservation whose owner is gone is replaced.
 */
export function reservePort(paths: Paths, port: number, owner: ProcessIdentity): boolean {
  privateFolder(paths.ports);
  const file = join(paths.ports, String(port));
  const text = JSON.stringify({ ...owner, name: paths.name } satisfies Reservation);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (publishExclusive(file, text)) return true;
    const before = readText(file);
    if (before === undefined) continue;
    const holder = reservationIn(before);
    if (holder !== undefined && holder.name !== paths.name && inUse(paths, holder)) return false;
    if (holder?.name === paths.name && holder.pid !== owner.pid && stillRuns(holder)) return false;
    removeExactly(file, before);
  }
  return false;
}

/** Returns the devnet that has reserved a port, undefined where none has. */
export function portReservedBy(paths: Paths, port: number): string | undefined {
  const holder = reservationOf(join(paths.ports, String(port)));
  return holder !== undefined && holder.name !== paths.name && inUse(paths, holder)
    ? `the devnet ${holder.name}`
    : undefined;
}

/** Removes the reservations in a home of a devnet, of a supervisor, or of one supervisor of a devnet. */
export function releasePorts(home: string, { name, supervisor }: { name?: string; supervisor?: number }): void {
  for (const port of namesIn(portsFolder(home))) {
    const file = join(portsFolder(home), port);
    const holder = reservationOf(file);
    if (holder?.name === (name ?? holder?.name) && holder?.pid === (supervisor ?? holder?.pid)) remove(file);
  }
}

/** Removes the reservations of devnets that neither run nor are stopped. */
export function releaseStale(paths: Paths): void {
  for (const name of namesIn(paths.ports)) {
    const file = join(paths.ports, name);
    const text = readText(file);
    const holder = text === undefined ? undefined : reservationIn(text);
    if (text !== undefined && holder !== undefined && !inUse(paths, holder)) removeExactly(file, text);
  }
}

/** Returns the reservation files of this devnet. */
export function reservationsOf(paths: Paths): string[] {
  return namesIn(paths.ports)
    .map((name) => join(paths.ports, name))
    .filter((file) => reservationOf(file)?.name === paths.name);
}

function inUse(paths: Paths, holder: Reservation): boolean {
  if (stillRuns(holder)) return true;
  try {
    const file = readState(pathsOf(paths.home, holder.name).state);
    return file.kind === 'state' && file.state.phase === 'stopped';
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
  return isJsonObject(value) && typeof value['name'] === 'string' && typeof value['pid'] === 'number';
}
