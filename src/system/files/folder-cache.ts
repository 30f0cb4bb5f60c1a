import { statSync } from 'node:fs';
import { join } from 'node:path';
import { touch } from './cache.ts';
import {
  exists,
  fileSize,
  modifiedAt,
  namesIn,
  privateFolder,
  readText,
  remove,
  rename,
  replaceFile,
} from './folder.ts';
import { filesBelow } from './listing.ts';

/** Time (ms) after its last use in which a folder stays: another process may read it. */
const IN_USE_MS = 60_000;

/** File in a folder of the cache: the stamps of all other files, by which a changed one is found. */
const STAMPS = '.stamps';

/** Folders of content that can be computed again. */
export interface FolderCache {
  /** Returns the path of a key's folder, undefined if there is none. A changed folder is removed. */
  find(key: string): string | undefined;
  /**
   * Moves a folder of the same disk into the cache. Returns its path there; undefined if it is too large, if
   * another process was faster, or if the disk refuses it. The folder stays where it was then.
   */
  adopt(key: string, folder: string): string | undefined;
  remove(key: string): void;
}

/** Opens a cache of folders. Past `limit` bytes, the least recently used ones are removed. */
export function openFolderCache(place: string, limit: number): FolderCache {
  const pathOf = (key: string) => join(place, key);

  function makeRoom(): void {
    const all = namesIn(place).map((name) => {
      const path = join(place, name);
      return { path, bytes: bytesBelow(path), used: modifiedAt(path) ?? 0 };
    });
    let over = all.reduce((sum, { bytes }) => sum + bytes, 0) - limit;
    for (const { path, bytes, used } of all.sort((a, b) => a.used - b.used)) {
      if (over <= 0 || Date.now() - used < IN_USE_MS) return;
      remove(path);
      over -= bytes;
    }
  }

  return {
    find(key) {
      const path = pathOf(key);
      if (!exists(path)) return undefined;
      if (readText(join(path, STAMPS)) !== stampsOf(path)) {
        remove(path);
        return undefined;
      }
      touch(path);
      return path;
    },
    adopt(key, folder) {
      if (bytesBelow(folder) > limit) return undefined;
      privateFolder(place);
      replaceFile(join(folder, STAMPS), stampsOf(folder));
      touch(folder);
      if (!rename(folder, pathOf(key))) return undefined;
      makeRoom();
      return pathOf(key);
    },
    remove: (key) => remove(pathOf(key)),
  };
}

/** Identifies the content of a file without reading it: every write and every copy changes it. Undefined: no file. */
export function stampOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('-');
}

function stampsOf(folder: string): string {
  const names = contentOf(folder).sort();
  return JSON.stringify(names.map((name) => [name, stampOf(join(folder, name))]));
}

function contentOf(folder: string): string[] {
  return filesBelow(folder).filter((name) => name !== STAMPS);
}

function bytesBelow(folder: string): number {
  return contentOf(folder).reduce((sum, name) => sum + fileSize(join(folder, name)), 0);
}
