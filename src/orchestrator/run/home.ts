import {
  exists,
  fileSize,
  modifiedAt,
  namesIn,
  privateFolder,
  readText,
  remove,
  replaceFile,
  writePrivate,
} from '../../system/folder.ts';
import { signalGroup } from '../../system/process-group.ts';
import { bootId } from '../../system/process-identity.ts';
import { sweep } from '../../system/process-sweep.ts';
import type { Plan } from '../plan/plan.ts';
import { type Paths, pathsOf, tracesOf } from './paths.ts';
import { releasePorts } from './reservations.ts';
import { readState, type State } from './state.ts';

/** Makes the folder of a new devnet, after ending and removing whatever an earlier one of this name left. The lock is held. */
export async function freshFolder(paths: Paths): Promise<void> {
  privateFolder(paths.home);
  if (exists(paths.folder)) {
    await endLeftovers(paths);
    remove(paths.folder);
  }
  privateFolder(paths.folder);
  reserveRoom(paths);
}

/** Bytes kept free for the last state: twice what the state of a large network takes. */
const RESERVED = 64 * 1024;

/** Takes the room of the last state from the disk as long as there is some. @throws Failure `write` (exit 4) */
export function reserveRoom(paths: Paths): void {
  if (fileSize(paths.reserve) < RESERVED) writePrivate(paths.reserve, '.'.repeat(RESERVED), 0o600);
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
    known: current?.orphans ?? [],
    // Without a state of this boot nobody knows since when; an orphan that works in our folder is ours all the same.
    ...(current === undefined ? {} : { since: current.supervisor.started }),
  });
  // Nobody listens there any more.
  remove(paths.control);
}

/** Removes everything of a devnet but its lock. */
export function removeDevnet(paths: Paths): void {
  remove(paths.control);
  remove(paths.folder);
  releasePorts(paths);
}

/** The plan of a devnet that was started once. */
export function readPlan(paths: Paths): Plan | undefined {
  try {
    return JSON.parse(readText(paths.plan) ?? '') as Plan;
  } catch {
    return undefined;
  }
}

/** Names of all devnets of which there is anything on disk. */
export function devnetNames(home: string): string[] {
  return namesIn(home).filter((name) => {
    try {
      return exists(pathsOf(home, name).folder) && !name.includes('.');
    } catch {
      return false;
    }
  });
}

/** Sets the network clock: `offsetMs` ahead of the wall clock. */
export function writeClock(paths: Paths, offsetMs: number): void {
  replaceFile(paths.clock, JSON.stringify({ offsetMs }));
}

/** The wall clock time at which a network that nobody stopped in order was last alive: when its logs were last written. */
export function lastAlive(state: State, plan: Plan): number {
  const times = plan.tasks.map((task) => modifiedAt(task.log) ?? 0);
  return Math.max(state.startedAt, ...times);
}
