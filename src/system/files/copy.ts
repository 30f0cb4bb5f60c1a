import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  linkSync,
  openSync,
  promises,
  type ReadStream,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../failure.ts';

/** Reads a whole file. @throws the system's error */
export function readWhole(path: string): Buffer {
  return readFileSync(path);
}

/**
 * Size (bytes) of a piece. Memory that is reused stays in the processor's cache, and the system clears no new pages.
 */
const COPY_PIECE_BYTES = 256 * 1024;

/** Yields the bytes of a file piece by piece. A piece is good until the next is read. @throws the system's error */
export function* readInPieces(path: string): Generator<Buffer, void> {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafeSlow(COPY_PIECE_BYTES);
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) yield piece.subarray(0, size);
  } finally {
    closeSync(file);
  }
}

/** Streams the bytes of a file. It fails with the system's error. */
export function streamOf(path: string): ReadStream {
  return createReadStream(path, { highWaterMark: COPY_PIECE_BYTES });
}

/**
 * Copies a file to a path that must not exist. Returns false if it does.
 * The copy is complete from its first moment.
 */
export function copyExclusive(from: string, to: string): boolean {
  const temporary = `${to}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
    linkSync(temporary, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Copies the files and folders below a folder that `filter` accepts by their path, into a folder that may exist.
 * Sockets, pipes and links stay out. One file after another: `fs.cp` takes twice the processor time.
 * @throws the system's error
 */
export async function copyFolder(
  from: string,
  to: string,
  filter: (path: string) => boolean = () => true,
): Promise<void> {
  await promises.mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await promises.readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    if (!filter(path)) continue;
    if (entry.isDirectory()) await copyFolder(path, join(to, entry.name), filter);
    else if (entry.isFile()) await promises.copyFile(path, join(to, entry.name), constants.COPYFILE_FICLONE);
  }
}
