import { chownSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A user and a group by their numbers. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the user of this process, undefined where the system has no such numbers. */
export function ownUser(): Owner | undefined {
  const { getuid, getgid } = process;
  return getuid === undefined || getgid === undefined ? undefined : { uid: getuid(), gid: getgid() };
}

/** Gives a file to a user. A missing one is passed over. */
export function giveFile(path: string, { uid, gid }: Owner): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Gives a folder and all in it to a user. */
export function giveFolder(path: string, owner: Owner): void {
  lchownSync(path, owner.uid, owner.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) giveFolder(inner, owner);
    else lchownSync(inner, owner.uid, owner.gid);
  }
}
