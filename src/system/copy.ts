import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, readFileSync, rmSync } from 'node:fs';

/** The bytes of a file, read at once. @throws the system's error */
export function readWhole(path: string): Buffer {
  return readFileSync(path);
}

/** Copies a file to a place where none must be, complete from its first moment. False where somebody else was first. */
export function copyExclusive(from: string, to: string): boolean {
  const temporary = `${to}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
    linkSync(temporary, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
