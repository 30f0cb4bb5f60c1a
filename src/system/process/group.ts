import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessTable, processTable, runs } from './table.ts';
import { type Stop, type Termination, terminate } from './terminate.ts';

/**
 * A process group: its leader's number and start.
 * The start time distinguishes it from a later group of the same number.
 */
export interface ProcessGroup {
  readonly id: number;
  readonly started: string;
}

/**
 * Returns whether any member of the group still runs.
 * Signal 0 alone counts zombies, which process 1 of some containers never reaps, and processes that were given the same
 * number later.
 */
export function groupRuns(group: ProcessGroup, table: ProcessTable = processTable()): boolean {
  if (!signalProcess(-group.id, 0)) return false;
  const leader = table.find(group.id);
  if (leader !== undefined && leader.started !== group.started) return false;
  if (runs(leader)) return true;
  return table.list().some((row) => row.group === group.id && runs(row));
}

/** Sends a signal to every member. Returns whether a member received it. */
export function signalGroup(
  group: ProcessGroup,
  signal: NodeJS.Signals,
  table: ProcessTable = processTable(),
): boolean {
  return groupRuns(group, table) && signalProcess(-group.id, signal);
}

/** Sends a signal to one process. Returns false if it does not exist or belongs to another user. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends a process group (see `terminate`). SIGCONT wakes a suspended member, so that it can follow the signal. */
export function terminateGroup(group: ProcessGroup, stop: Stop, kill: AbortSignal): Promise<Termination> {
  return terminate(
    {
      name: `process group ${group.id}`,
      send(signal) {
        if (signalGroup(group, signal)) signalProcess(-group.id, 'SIGCONT');
      },
      waitForEnd: (withinMs, cut) => waitForEnd(group, withinMs, cut),
    },
    stop,
    kill,
  );
}

async function waitForEnd(group: ProcessGroup, withinMs: number, cut?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = 2; groupRuns(group); pause = Math.min(pause * 1.5, 8)) {
    if (cut?.aborted || performance.now() >= deadline) return false;
    await sleep(
      Math.min(pause, Math.max(1, deadline - performance.now())),
      undefined,
      cut ? { signal: cut } : {},
    ).catch(() => undefined);
  }
  return true;
}
