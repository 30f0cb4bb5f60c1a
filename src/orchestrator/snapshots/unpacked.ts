import { join } from 'node:path';
import { readText, remove } from '../../system/files/folder.ts';
import { type FolderCache, openFolderCache, stampOf } from '../../system/files/folder-cache.ts';
import { homeOf } from '../folder/home.ts';
import { cacheFolder } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';
import { keptManifest } from './manifest.ts';
import { MANIFEST } from './manifest-format.ts';
import type { Manifest } from './manifest-schema.ts';
import { stagingFolder } from './store.ts';

/** Bytes of all unpacked snapshots that are kept: some twenty of a thousand full blocks. */
const MAX_UNPACKED_BYTES = 1024 ** 3;

/** The files of a snapshot, checked. */
export interface Unpacked {
  readonly manifest: Manifest;
  /** The folder of manifest and data. It may not be changed. */
  readonly folder: string;
  /** Called when the files have been copied. */
  release(): void;
}

/**
 * Returns the files of an archive. They are kept in the cache, because tests start many networks from one snapshot:
 * unpacking 57 MB takes 400 ms, copying them 45 ms.
 * @throws Failure `snapshot` (exit 2) if the archive is damaged or does not fit this program
 */
export async function openSnapshot(io: Io, path: string): Promise<Unpacked> {
  const cache = cacheOf(io);
  const key = stampOf(path);
  const copy = key === undefined ? undefined : cache.find(key);
  const manifest = copy === undefined ? undefined : keptManifest(readText(join(copy, MANIFEST)) ?? '{}');
  if (copy !== undefined && manifest !== undefined) return { manifest, folder: copy, release: () => undefined };
  if (key !== undefined) cache.remove(key);
  const folder = stagingFolder(io);
  const { unpack } = await import('./archive.ts');
  const unpacked = await unpack(path, folder);
  const adopted = key === undefined ? undefined : cache.adopt(key, folder);
  if (adopted !== undefined) return { manifest: unpacked, folder: adopted, release: () => undefined };
  return { manifest: unpacked, folder, release: () => remove(folder) };
}

/** Keeps the folder that an archive was made of. Removes it if it cannot be kept. */
export function keepUnpacked(io: Io, path: string, folder: string): void {
  const key = stampOf(path);
  if (key === undefined || cacheOf(io).adopt(key, folder) === undefined) remove(folder);
}

/** Removes what is kept of an archive. */
export function dropUnpacked(io: Io, path: string): void {
  const key = stampOf(path);
  if (key !== undefined) cacheOf(io).remove(key);
}

function cacheOf(io: Io): FolderCache {
  return openFolderCache(cacheFolder(homeOf(io), 'snapshots'), MAX_UNPACKED_BYTES);
}
