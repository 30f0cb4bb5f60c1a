import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns, for each thread of a process, the milliseconds for which it could run and had no processor, since its start.
 * Every thread counts: anvil verifies blobs in a worker while its main thread sleeps. Empty where the system does not
 * tell (Linux only) or the process is gone.
 */
export function runDelays(pid: number): ReadonlyMap<string, number> {
  const delays = new Map<string, number>();
  for (const thread of threadsOf(pid)) {
    const milliseconds = delayOf(pid, thread);
    if (milliseconds !== undefined) delays.set(thread, milliseconds);
  }
  return delays;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function delayOf(pid: number, thread: string): number | undefined {
  try {
    const nanoseconds = Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]);
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : undefined;
  } catch {
    // The thread ended meanwhile.
    return undefined;
  }
}
