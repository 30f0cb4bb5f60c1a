import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure, systemCode } from '../failure.ts';
import { writeAtomic } from './atomic-write.ts';

/**
 * A file that grows by whole lines.
 * Appended lines survive a killed process. A line that was cut off is dropped when the file is opened.
 */
export interface LineFile {
  /** Adds one line. @throws Failure `write` if the disk refuses it; the file then ends as before */
  append(line: string): void;
  /** All lines so far, without their newlines. */
  lines(): readonly string[];
  close(): void;
}

/** Opens a {@link LineFile}, creating it and its folder if they are absent. @throws Failure `write` */
export function openLineFile(path: string): LineFile {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, 'a+');
  let isOpen = true;
  const all = fstatSync(fd).size;
  let size = endOfLines(fd, all);
  if (size < all) ftruncateSync(fd, size);
  return {
    append(line) {
      const bytes = Buffer.from(line + '\n');
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
        size += bytes.length;
      } catch (cause) {
        ftruncateSync(fd, size);
        throw new Failure('write', `cannot append to ${path}`, { data: { path }, cause });
      }
    },
    lines() {
      const bytes = Buffer.alloc(size);
      let at = 0;
      for (let read = 1; at < size && read > 0; at += read) read = readSync(fd, bytes, at, size - at, at);
      return bytes.toString('utf8', 0, at).split('\n').slice(0, -1);
    },
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

/** Bytes that are read at once in the search for the last line's end. */
const SEARCH_PIECE_BYTES = 64 * 1024;

/** Returns the offset behind the last newline. Reads the end of the file alone. */
function endOfLines(fd: number, size: number): number {
  const piece = Buffer.allocUnsafe(SEARCH_PIECE_BYTES);
  for (let end = size; end > 0; end -= SEARCH_PIECE_BYTES) {
    const start = Math.max(end - SEARCH_PIECE_BYTES, 0);
    const at = piece.subarray(0, readSync(fd, piece, 0, end - start, start)).lastIndexOf(0x0a);
    if (at >= 0) return start + at + 1;
  }
  return 0;
}

/** A folder of immutable files by name, each written in one step. */
export interface FileStore {
  has(name: string): boolean;
  put(name: string, bytes: Uint8Array): void;
  /** undefined if there is no such file. */
  get(name: string): Uint8Array | undefined;
  remove(name: string): void;
}

/** Opens a {@link FileStore}; names must be plain file names. */
export function openFileStore(folder: string): FileStore {
  mkdirSync(folder, { recursive: true });
  const path = (name: string) => `${folder}/${name}`;
  return {
    has: (name) => existsSync(path(name)),
    put: (name, bytes) => writeAtomic(path(name), bytes),
    get(name) {
      try {
        return readFileSync(path(name));
      } catch (cause) {
        if (systemCode(cause) === 'ENOENT') return undefined;
        throw cause;
      }
    },
    remove: (name) => rmSync(path(name), { force: true }),
  };
}
