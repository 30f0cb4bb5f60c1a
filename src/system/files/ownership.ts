import { chownSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../failure.ts';

/** A user and a group by their numbers. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the user of this process, undefined if the system has no such numbers. */
export function ownUser(): Owner | undefined {
  const { getuid, getgid } = process;
  return getuid === undefined || getgid === undefined ? undefined : { uid: getuid(), gid: getgid() };
}

/** Gives a file to a user. A missing one is passed over. */
export function giveFile(path: string, { uid, gid }: Owner): void {
  whereThere(() => chownSync(path, uid, gid));
}

/** Gives a folder and all in it to a user. A file that is replaced meanwhile is passed over. */
export function giveFolder(path: string, owner: Owner): void {
  lchownSync(path, owner.uid, owner.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    whereThere(() => (entry.isDirectory() ? giveFolder(inner, owner) : lchownSync(inner, owner.uid, owner.gid)));
  }
}

/** Passes over a path that is gone. */
function whereThere(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
