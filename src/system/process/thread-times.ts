import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one thread since its start. */
export interface ThreadTime {
  /** It ran on a processor. */
  readonly ran: number;
  /** It could run and had no processor. */
  readonly waited: number;
}

/**
 * Returns the times of each thread of a process, by thread. Every thread counts: anvil verifies blobs in a worker while
 * its main thread sleeps. Empty if the system has no such counters (Linux only) or the process is gone.
 */
export function threadTimes(pid: number): ReadonlyMap<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  for (const thread of threadsOf(pid)) {
    const time = timeOf(pid, thread);
    if (time !== undefined) times.set(thread, time);
  }
  return times;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function timeOf(pid: number, thread: string): ThreadTime | undefined {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number);
    if (ran === undefined || waited === undefined || !Number.isFinite(ran + waited)) return undefined;
    return { ran: ran / 1e6, waited: waited / 1e6 };
  } catch {
    // The thread ended meanwhile.
    return undefined;
  }
}
