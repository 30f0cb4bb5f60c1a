import { jsonField } from '../../rpc/json-object.ts';
import {
  exists,
  fileSize,
  modifiedAt,
  move,
  namesIn,
  privateFolder,
  readText,
  remove,
  replaceFile,
  writePrivate,
} from '../../system/files/folder.ts';
import { signalGroup } from '../../system/process/group.ts';
import { bootId } from '../../system/process/identity.ts';
import { sweep } from '../../system/process/sweep.ts';
import type { ClockFile, ClockState } from '../../system/time/clock.ts';
import type { Plan } from '../plan/plan.ts';
import { releasePorts } from '../ports/reservations.ts';
import { removeContainers, usesContainers } from '../runtimes/docker/containers.ts';
import { type Paths, pathsOf, tracesOf } from '../state/paths.ts';
import { removeSocket } from '../state/sockets.ts';
import { readState, type State } from '../state/state.ts';

/**
 * Makes the folder of a new devnet. Ends what an earlier one of this name left, and keeps its folder aside until
 * `dropReplaced`. Needs the lock.
 */
export async function freshFolder(paths: Paths): Promise<void> {
  privateFolder(paths.home);
  if (exists(paths.folder)) await endLeftovers(paths);
  bringBack(paths);
  if (exists(paths.folder)) move(paths.folder, paths.replaced);
  privateFolder(paths.folder);
  reserveSpace(paths);
}

/** Removes the devnet that a new one has replaced. Called when all files and data of the new one are on disk. */
export function dropReplaced({ replaced }: Paths): void {
  remove(replaced);
}

/**
 * Brings back the devnet that a new one should have replaced. Returns whether there was one.
 * Called if the files of the new one could not be written.
 */
export function bringBack({ folder, replaced }: Paths): boolean {
  if (!exists(replaced)) return false;
  remove(folder);
  move(replaced, folder);
  return true;
}

/** Bytes reserved for the last state: twice the state of a large network. */
const RESERVED_BYTES = 64 * 1024;

/** Reserves disk space for the last state. @throws Failure `write` (exit 4) */
export function reserveSpace(paths: Paths): void {
  if (fileSize(paths.reserve) < RESERVED_BYTES) writePrivate(paths.reserve, '.'.repeat(RESERVED_BYTES), 0o600);
}

/**
 * Ends what a dead supervisor may have left running.
 * These are the groups in its state file, the orphans that it had seen, and processes that carry the stamp or work in
 * the folder. A process is recognised by its start time as well, never by its number alone.
 */
export async function endLeftovers(paths: Paths): Promise<void> {
  const file = readState(paths.state);
  const state = file.kind === 'state' ? file.state : undefined;
  const current = state?.supervisor.boot === bootId() ? state : undefined;
  for (const { process } of Object.values(current?.tasks ?? {}))
    if (process && process.boot === bootId()) signalGroup({ id: process.pid, started: process.started }, 'SIGKILL');
  await sweep({
    ...tracesOf(paths),
    descendants: current?.orphans ?? [],
    // Without a state of this boot there is no start time. An orphan that works in the folder still counts.
    ...(current === undefined ? {} : { since: current.supervisor.started }),
  });
  const plan = readPlan(paths);
  if (plan !== undefined && usesContainers(plan)) await removeContainers(process.env, { folder: paths.folder });
  // No process listens there any more.
  removeSocket(paths.control);
  removeSocket(paths.clockSocket);
}

/** Removes all files of a devnet except its lock. */
export function removeDevnet(paths: Paths): void {
  removeSocket(paths.control);
  removeSocket(paths.clockSocket);
  remove(paths.folder);
  dropReplaced(paths);
  releasePorts(paths.home, { name: paths.name });
}

/** Returns the plan of a devnet on disk. */
export function readPlan(paths: Paths): Plan | undefined {
  try {
    return JSON.parse(readText(paths.plan) ?? '') as Plan;
  } catch {
    return undefined;
  }
}

/** Returns the names of all devnets on disk. */
export function devnetNames(home: string): string[] {
  return namesIn(home).filter((name) => {
    try {
      return exists(pathsOf(home, name).folder) && !name.includes('.');
    } catch {
      return false;
    }
  });
}

/**
 * Writes the file of the network's clock, for processes that start and for a later start of the devnet. `isPaused`: a
 * user has stopped the clock.
 */
export function writeClock(paths: Paths, { at, wall, rate }: ClockState, isPaused: boolean): void {
  const file: ClockFile = { at, wall, rate, socket: paths.clockSocket };
  replaceFile(paths.clock, JSON.stringify({ ...file, isPaused }));
}

/** Returns whether a user had stopped the clock of a devnet when it ended. */
export function wasPaused(paths: Paths): boolean {
  try {
    return jsonField(JSON.parse(readText(paths.clock) ?? ''), 'isPaused') === true;
  } catch {
    return false;
  }
}

/** Returns when a network without an orderly stop was last alive: the last write to its logs. */
export function lastAlive(state: State, plan: Plan): number {
  const times = plan.tasks.map((task) => modifiedAt(task.log) ?? 0);
  return Math.max(state.startedAt, ...times);
}
