import { randomBytes } from 'node:crypto';
import { closeSync, constants, copyFileSync, linkSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';

/** The bytes of a file, read at once. @throws the system's error */
export function readWhole(path: string): Buffer {
  return readFileSync(path);
}

/** Bytes of a piece: what is read into the same memory again lies in the processor's cache, and the system has to find and clear no more. */
const PIECE = 256 * 1024;

/** The bytes of a file piece by piece, each good until the next is asked for. @throws the system's error */
export function* readInPieces(path: string): Generator<Buffer, void> {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafeSlow(PIECE);
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) yield piece.subarray(0, size);
  } finally {
    closeSync(file);
  }
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
