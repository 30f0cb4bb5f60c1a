import { readFileSync } from 'node:fs';

/**
 * Milliseconds for which a process's main thread could run and had no processor, since its start. Linux only: undefined where the system does not
 * tell.
 */
export function runDelay(pid: number): number | undefined {
  try {
    const nanoseconds = Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]);
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : undefined;
  } catch {
    return undefined;
  }
}
