import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessTable, processTable, runs } from './process-table.ts';

/** A group of processes by the number of its leader, with the leader's start, which tells it from a later group of that number. */
export interface ProcessGroup {
  readonly id: number;
  readonly started: string;
}

/** How a group ended: by itself, by the signal asked for, or killed after its grace. */
export type Ending = 'gone' | 'stopped' | 'killed';

/**
 * Whether any member of the group still runs. A signal 0 alone would say yes to zombies, which nobody reaps where process 1 of a container
 * does not; and to strangers who were given the number.
 */
export function groupRuns(group: ProcessGroup, table: ProcessTable = processTable()): boolean {
  if (!signalled(-group.id, 0)) return false;
  const leader = table.find(group.id);
  if (leader !== undefined && leader.started !== group.started) return false;
  if (runs(leader)) return true;
  return table.list().some((row) => row.group === group.id && runs(row));
}

/** Sends a signal to every member. Returns whether there was anyone to receive it. */
export function signalGroup(
  group: ProcessGroup,
  signal: NodeJS.Signals,
  table: ProcessTable = processTable(),
): boolean {
  return groupRuns(group, table) && signalled(-group.id, signal);
}

/** Sends a signal to one process; false where there is none of that number, or it is not ours to signal. */
export function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

export interface Stop {
  readonly signal: NodeJS.Signals;
  /** Time before SIGKILL. */
  readonly graceMs: number;
  /** Time before the signal is sent a second time, on which a program gives up what it waits for. */
  readonly againMs?: number | undefined;
}

/**
 * Ends a group: signals it, waits its grace, kills it once. `kill` cuts the grace short.
 * SIGCONT wakes a suspended member, so that it can follow the signal. Resolves when no member of the group runs any more.
 * @throws Error where even killing does not end it within 3 s
 */
export async function endGroup(group: ProcessGroup, stop: Stop, kill: AbortSignal): Promise<Ending> {
  const { signal, graceMs, againMs } = stop;
  if (!signalGroup(group, kill.aborted ? 'SIGKILL' : signal)) return 'gone';
  signalled(-group.id, 'SIGCONT');
  if (!kill.aborted && againMs !== undefined && againMs < graceMs) {
    if (await gone(group, againMs, kill)) return 'stopped';
    signalGroup(group, signal);
  }
  if (!kill.aborted && (await gone(group, graceMs - (againMs ?? 0), kill))) return 'stopped';
  signalled(-group.id, 'SIGKILL');
  if (!(await gone(group, 3000))) throw new Error(`process group ${group.id} survives SIGKILL`);
  return 'killed';
}

async function gone(group: ProcessGroup, withinMs: number, cut?: AbortSignal): Promise<boolean> {
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
