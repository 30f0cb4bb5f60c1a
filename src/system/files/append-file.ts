import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';
import { makeFolders } from './folder.ts';

/** A file that grows at its end. What was appended survives a killed process. */
export interface AppendFile {
  /** All bytes so far. */
  bytes(): Uint8Array;
  /** Adds bytes. @throws Failure `write` if the disk refuses them; the file then ends as before */
  append(bytes: Uint8Array): void;
  /** Replaces the content in one step. @throws Failure `write` if the disk refuses it; the file is then as before */
  replace(bytes: Uint8Array): void;
  close(): void;
}

/** Opens an {@link AppendFile}, creating it and its folder if they are absent. @throws Failure `write` */
export function openAppendFile(path: string): AppendFile {
  makeFolders(dirname(path));
  let fd: number | undefined = open();
  let size = readFileSync(path).length;

  function open(): number {
    try {
      return openSync(path, 'a', 0o600);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  return {
    bytes: () => readFileSync(path),
    append(bytes) {
      fd ??= open();
      try {
        writeWhole(fd, bytes);
        size += bytes.length;
      } catch (cause) {
        ftruncateSync(fd, size);
        throw unwritable(path, cause);
      }
    },
    replace(bytes) {
      const temporary = `${path}.new`;
      try {
        const other = openSync(temporary, 'w', 0o600);
        try {
          writeWhole(other, bytes);
        } finally {
          closeSync(other);
        }
        renameSync(temporary, path);
      } catch (cause) {
        rmSync(temporary, { force: true });
        throw unwritable(path, cause);
      }
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
      size = bytes.length;
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function unwritable(path: string, cause: unknown): Failure {
  return new Failure('write', `cannot write ${path}`, { data: { path }, cause });
}
