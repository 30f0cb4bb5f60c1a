import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 as crc32Of } from 'node:zlib';
import { readInPieces, readWhole } from './copy.ts';
import { privateFolder, rename, replaceFile } from './folder.ts';

/**
 * Limit (bytes) of one folder of a cache.
 * About seven rendered genesis states fit, or the compiled code of every command.
 */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** Computes a short checksum in hex over the pieces of a file. */
export type Checksum = (pieces: Iterable<Uint8Array>) => string;

/** The checksum for large entries. It needs zlib, which loads in 2 ms. */
export const crc32: Checksum = (pieces) => {
  let value = 0;
  for (const piece of pieces) value = crc32Of(piece, value);
  return value.toString(16).padStart(8, '0');
};

/** The checksum for programs that have loaded crypto anyway. */
export const sha256: Checksum = (pieces) => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex').slice(0, 16);
};

/**
 * A folder of content that can be computed again.
 * A file's name ends in the size and the checksum of its content. A damaged file is removed when it is found.
 */
export interface Cache {
  /** Returns the path of a key's entry, undefined if there is none. Removes a damaged one. */
  find(key: string): string | undefined;
  /** Finds the entry by name and size alone, for a process that leaves reading the content to another. */
  locate(key: string): string | undefined;
  read(key: string): Buffer | undefined;
  /** Stores an entry in one step. Returns its path, or undefined if the disk refuses it. */
  write(key: string, content: string | Uint8Array): string | undefined;
  /** Moves a finished file of the same disk into the cache. Returns undefined if the disk refuses it. */
  adopt(key: string, file: string): string | undefined;
}

/**
 * Opens a cache folder, which may be absent.
 * Past `limit` bytes, the least recently used entries are removed.
 */
export function openCache(folder: string, checksum: Checksum, limit = MAX_CACHE_BYTES): Cache {
  const nameOf = (key: string, size: number, pieces: Iterable<Uint8Array>) => `${key}.${size}-${checksum(pieces)}`;
  const located = (key: string) =>
    namesOf(folder).filter((name) => name.startsWith(`${key}.`) && /^\d+-[0-9a-f]+$/.test(name.slice(key.length + 1)));

  /** Removes other entries of the key, and entries past the limit. */
  function settle(key: string, path: string): string {
    for (const name of located(key)) if (join(folder, name) !== path) rmSync(join(folder, name), { force: true });
    trim(folder, limit);
    return path;
  }

  return {
    find(key) {
      for (const name of located(key)) {
        const path = join(folder, name);
        if (!isIntact(path, checksum)) continue;
        touch(path);
        return path;
      }
      return undefined;
    },
    locate: (key) =>
      located(key)
        .map((name) => join(folder, name))
        .find(hasItsSize),
    read(key) {
      for (const name of located(key)) {
        const path = join(folder, name);
        const bytes = attempt(() => readWhole(path));
        if (bytes !== undefined && name === nameOf(key, bytes.length, [bytes])) {
          touch(path);
          return bytes;
        }
        attempt(() => rmSync(path, { force: true }));
      }
      return undefined;
    },
    write: (key, content) =>
      attempt(() => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        const path = join(folder, nameOf(key, bytes.length, [bytes]));
        privateFolder(folder);
        replaceFile(path, bytes);
        return settle(key, path);
      }),
    adopt: (key, file) =>
      attempt(() => {
        const path = join(folder, nameOf(key, statSync(file).size, readInPieces(file)));
        return rename(file, path) ? settle(key, path) : undefined;
      }),
  };
}

/** Returns whether a file of a cache holds what was written. Removes it if it does not. */
export function isIntact(path: string, checksum: Checksum): boolean {
  const expected = /\.(\d+)-([0-9a-f]+)$/.exec(path)?.[2];
  if (hasItsSize(path) && attempt(() => checksum(readInPieces(path))) === expected) return true;
  attempt(() => rmSync(path, { force: true }));
  return false;
}

/**
 * Removes the least recently used files of a folder until it holds at most `limit` bytes.
 * Returns the bytes removed.
 */
export function trim(folder: string, limit = MAX_CACHE_BYTES): number {
  const files = filesIn(folder);
  let over = files.reduce((sum, { size }) => sum + size, 0) - limit;
  let removed = 0;
  for (const { path, size } of files.sort((a, b) => a.used - b.used)) {
    if (over <= 0) break;
    attempt(() => rmSync(path, { force: true }));
    over -= size;
    removed += size;
  }
  return removed;
}

function filesIn(folder: string): { readonly path: string; readonly size: number; readonly used: number }[] {
  return (attempt(() => readdirSync(folder, { recursive: true, encoding: 'utf8' })) ?? []).flatMap((name) => {
    const path = join(folder, name);
    const stats = attempt(() => statSync(path));
    return stats?.isFile() ? [{ path, size: stats.size, used: stats.mtimeMs }] : [];
  });
}

function hasItsSize(path: string): boolean {
  const size = /\.(\d+)-[0-9a-f]+$/.exec(path)?.[1];
  return size !== undefined && attempt(() => statSync(path).size) === Number(size);
}

/** Marks an entry as used now. */
export function touch(path: string): void {
  const now = new Date();
  attempt(() => utimesSync(path, now, now));
}

function namesOf(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/** Returns undefined if a file operation fails: without the cache only the next start is slower. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
