import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject } from '../../rpc/json-object.ts';
import { isDiskFull } from '../../system/failure.ts';
import { privateFolder, publishExclusive, readText, remove, removeExactly } from '../../system/files/folder.ts';
import { isPid } from '../../system/numbers/bounds.ts';
import { identify, type ProcessIdentity, stillRuns } from '../../system/process/identity.ts';

/** The process that runs a devnet. Its lock is valid while it runs, so that no lock must be removed by hand. */
export interface LockOwner extends ProcessIdentity {
  /** Unix milliseconds. */
  readonly since: number;
  /**
   * `supervisor` runs the devnet. `sweeper` removes leftovers and releases the lock soon. `saver` writes the snapshot
   * that the lock is of.
   */
  readonly role: Role;
}

const MAX_LOCK_ATTEMPTS = 1000;

type Role = 'supervisor' | 'sweeper' | 'saver';

/**
 * Takes the lock. Of any number of concurrent attempts exactly one succeeds.
 * A stale lock is removed only by the holder of a second lock beside it (the breaker), which reads it again first.
 */
export function takeLock(
  path: string,
  role: Role,
): { readonly isTaken: true } | { readonly isTaken: false; readonly owner: LockOwner | undefined } {
  privateFolder(dirname(path));
  const identity = identify(process.pid);
  if (identity === undefined) throw new Error(`process ${process.pid} is not in the system's table of processes`);
  const text = JSON.stringify({ ...identity, since: Date.now(), role } satisfies LockOwner);
  // A file that vanished is tried again. One that exists but is unreadable belongs to another process.
  for (let attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt++) {
    if (publishExclusive(path, text)) return { isTaken: true };
    const before = readText(path);
    if (before === undefined) continue;
    const owner = ownerIn(before);
    if (owner !== undefined && stillRuns(owner)) return { isTaken: false, owner };
    const breaker = `${path}.break`;
    if (!publishExclusive(breaker, text)) {
      const breaking = readText(breaker);
      if (breaking === undefined) continue;
      const other = ownerIn(breaking);
      if (other !== undefined && stillRuns(other)) return { isTaken: false, owner: other };
      removeExactly(breaker, breaking);
      continue;
    }
    try {
      // The breaker's holder alone removes a lock, and a lock is only written if there is none. So this one stays.
      const again = readText(path);
      const stale = again === undefined ? undefined : ownerIn(again);
      if (again !== undefined && (stale === undefined || !stillRuns(stale))) remove(path);
    } finally {
      remove(breaker);
    }
  }
  return { isTaken: false, owner: undefined };
}

/** Takes the lock. Waits at most 1000 pauses (10 s) while a sweeper holds it. */
export async function awaitLock(
  path: string,
  role: Role,
  pause: () => Promise<unknown> = () => sleep(10),
): Promise<ReturnType<typeof takeLock>> {
  for (let waits = 0; ; waits++) {
    const lock = takeLock(path, role);
    if (lock.isTaken || lock.owner?.role !== 'sweeper' || waits >= 1000) return lock;
    await pause();
  }
}

/**
 * Takes the lock for removing what a dead supervisor left.
 * Returns the release, or undefined if another process has it. A full disk admits no lock, so the sweep then runs
 * without one.
 */
export async function lockToClear(path: string): Promise<(() => void) | undefined> {
  try {
    const lock = await awaitLock(path, 'sweeper');
    return lock.isTaken ? () => releaseLock(path) : undefined;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return isStale(path) ? () => removeStale(path) : undefined;
  }
}

/** Removes a lock file whose owner is gone. */
export function removeStale(path: string): void {
  if (isStale(path)) remove(path);
}

function isStale(path: string): boolean {
  const owner = lockOwner(path);
  return owner === undefined || !stillRuns(owner);
}

/** Returns the owner of a lock, running or not. Undefined without a readable lock. */
export function lockOwner(path: string): LockOwner | undefined {
  return ownerIn(readText(path) ?? '');
}

function ownerIn(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is LockOwner {
  return (
    isJsonObject(value) &&
    isPid(value['pid']) &&
    typeof value['started'] === 'string' &&
    typeof value['boot'] === 'string'
  );
}

/** Releases the lock if this process holds it. */
export function releaseLock(path: string): void {
  if (lockOwner(path)?.pid === process.pid) remove(path);
}
