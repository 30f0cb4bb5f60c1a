import { EXIT, Failure } from '../../system/failure.ts';
import { exists } from '../../system/files/folder.ts';
import type { Paths } from '../state/paths.ts';
import { lockOwner } from './lock.ts';

/** Time (ms) between two checks. */
const CHECK_INTERVAL_MS = 1000;

/**
 * Checks every second that plan and lock of a running devnet are there, and calls back if they are not.
 * A user, or the clean-up of a test, may remove the home of a devnet that runs. No command finds it then, so that its
 * processes would stay for good.
 */
export function watchRemoval(paths: Paths, removed: (failure: Failure) => void): { close(): void } {
  let misses = 0;
  const timer = setInterval(() => {
    const path = [paths.folder, paths.plan, paths.lock].find((each) => !exists(each));
    misses = path === undefined && !isTaken(paths) ? 0 : misses + 1;
    // A disk of the network may fail for a moment.
    if (misses < 2) return;
    clearInterval(timer);
    removed(
      new Failure('removed', `${path ?? paths.folder} was removed while the devnet ran`, {
        exit: EXIT.failed,
        data: { path: path ?? paths.folder },
        hint: 'end a devnet by `devnet down` before its files are removed',
      }),
    );
  }, CHECK_INTERVAL_MS).unref();
  return { close: () => clearInterval(timer) };
}

/** Returns whether another process holds the lock of a devnet: its files are those of another devnet. */
export function isTaken({ lock }: Paths): boolean {
  const owner = lockOwner(lock);
  return owner !== undefined && owner.pid !== process.pid;
}
