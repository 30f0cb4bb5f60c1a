import { join } from 'node:path';
import { trim } from '../../system/files/cache.ts';
import { modifiedAt, namesIn, remove } from '../../system/files/folder.ts';
import { identify } from '../../system/process/identity.ts';
import { releaseStale } from '../ports/reservations.ts';
import { cacheFolder, type Paths, pathsOf, portsFolder, snapshotsFolder } from '../state/paths.ts';
import { bringBack } from './devnet-folder.ts';
import { lockOwner, removeStale } from './lock.ts';

/** Empties the cache and returns its bytes. A devnet that starts meanwhile makes missing entries again. */
export function emptyCache(home: string): number {
  const bytes = trim(cacheFolder(home), 0);
  remove(cacheFolder(home));
  return bytes;
}

/** Age (ms) from which an unfinished file is one that a killed process left. */
const ABANDONED_AFTER_MS = 60_000;

/** Removes lock files and reservations of ended processes, and unfinished files of killed ones. */
export function removeStaleFiles(home: string, now = Date.now()): void {
  const locks = join(home, '.locks');
  for (const folder of [locks, portsFolder()])
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      if (/\.(tmp|aside)$/.test(name) && now - (modifiedAt(path) ?? now) > ABANDONED_AFTER_MS) remove(path);
    }
  const snapshots = snapshotsFolder(home);
  for (const name of namesIn(snapshots)) {
    const [, writer] = /^\.(\d+)-[0-9a-f]+\.parts(\.tgz)?$/.exec(name) ?? [];
    const path = join(snapshots, name);
    const isLong = now - (modifiedAt(path) ?? now) > ABANDONED_AFTER_MS;
    if (name.endsWith('.lock') && lockOwner(path) !== undefined) removeStale(path);
    if (writer !== undefined && isLong && identify(Number(writer)) === undefined) remove(path);
  }
  for (const name of namesIn(locks)) if (lockOwner(join(locks, name)) !== undefined) removeStale(join(locks, name));
  for (const name of namesIn(home)) {
    // Its supervisor was killed while it wrote the files of the devnet that was to replace this one.
    const [, replaced] = /^\.replaced-(.+)$/.exec(name) ?? [];
    if (replaced !== undefined && lockOwner(join(locks, replaced)) === undefined) bringBack(pathsOf(home, replaced));
  }
  releaseStale();
}

/** Returns when a devnet last changed on disk (Unix milliseconds): its state, else its folder. */
export function lastChanged(paths: Paths): number {
  return Math.max(0, ...[paths.state, paths.plan, paths.folder].map((path) => modifiedAt(path) ?? 0));
}
