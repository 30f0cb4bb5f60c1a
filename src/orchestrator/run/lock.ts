import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull } from '../../system/failure.ts';
import { privateFolder, publishExclusive, readText, remove, removeExactly } from '../../system/folder.ts';
import { identify, type ProcessIdentity, stillRuns } from '../../system/process-identity.ts';

/** Who runs a devnet. The lock is good as long as this process runs, so that none has to be removed by hand. */
export interface LockOwner extends ProcessIdentity {
  /** Unix milliseconds. */
  readonly since: number;
  /** Runs the devnet, or only clears away what another left: then it will be free in a moment. */
  readonly role: Role;
}

const ATTEMPTS = 1000;

type Role = 'supervisor' | 'sweeper';

/**
 * Takes the lock. Of any number that try at once exactly one succeeds: a lock whose owner is gone is removed only by who holds the second
 * lock beside it, and only after looking again.
 */
export function takeLock(
  path: string,
  role: Role,
): { readonly taken: true } | { readonly taken: false; readonly owner: LockOwner | undefined } {
  privateFolder(dirname(path));
  const own = identify(process.pid);
  if (own === undefined) throw new Error(`process ${process.pid} is not in the system's table of processes`);
  const text = JSON.stringify({ ...own, since: Date.now(), role } satisfies LockOwner);
  // Files that come and go between two looks are looked at again; one that is there but cannot be read is somebody else's.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (publishExclusive(path, text)) return { taken: true };
    const before = readText(path);
    if (before === undefined) continue;
    const owner = ownerIn(before);
    if (owner !== undefined && stillRuns(owner)) return { taken: false, owner };
    const breaker = `${path}.break`;
    if (!publishExclusive(breaker, text)) {
      const breaking = readText(breaker);
      if (breaking === undefined) continue;
      const other = ownerIn(breaking);
      if (other !== undefined && stillRuns(other)) return { taken: false, owner: other };
      removeExactly(breaker, breaking);
      continue;
    }
    try {
      // Only who holds the breaker removes a lock, and a lock is written only where there is none: what is read here stays until it is removed.
      const again = readText(path);
      const stale = again === undefined ? undefined : ownerIn(again);
      if (again !== undefined && (stale === undefined || !stillRuns(stale))) remove(path);
    } finally {
      remove(breaker);
    }
  }
  return { taken: false, owner: undefined };
}

/** The same, waiting while somebody only clears away; at most 10 s. */
export async function awaitLock(path: string, role: Role): Promise<ReturnType<typeof takeLock>> {
  for (let waits = 0; ; waits++) {
    const lock = takeLock(path, role);
    if (lock.taken || lock.owner?.role !== 'sweeper' || waits >= 1000) return lock;
    await sleep(10);
  }
}

/**
 * Takes the lock to clear away what a dead supervisor left. Returns what gives it back, or undefined where another process has it. A full disk takes
 * no lock from any process, so the clearing then goes on without one.
 */
export async function lockToClear(path: string): Promise<(() => void) | undefined> {
  try {
    const lock = await awaitLock(path, 'sweeper');
    return lock.taken ? () => releaseLock(path) : undefined;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return isStale(path) ? () => removeStale(path) : undefined;
  }
}

/** Removes the file of a lock whose owner is gone. */
export function removeStale(path: string): void {
  if (isStale(path)) remove(path);
}

function isStale(path: string): boolean {
  const owner = lockOwner(path);
  return owner === undefined || !stillRuns(owner);
}

/** The owner of a lock, whether it runs or not; undefined where there is no lock or it is unreadable. */
export function lockOwner(path: string): LockOwner | undefined {
  return ownerIn(readText(path) ?? '');
}

function ownerIn(text: string): LockOwner | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockOwner>;
    return typeof value.pid === 'number' && typeof value.started === 'string' && typeof value.boot === 'string'
      ? (value as LockOwner)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Gives the lock back, if it is this process that holds it. */
export function releaseLock(path: string): void {
  if (lockOwner(path)?.pid === process.pid) remove(path);
}
