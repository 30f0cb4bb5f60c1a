import { randomBytes } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { exists, fileSize, modifiedAt, namesIn, privateFolder, replaceFile } from '../../system/files/folder.ts';
import { homeOf } from '../folder/home.ts';
import { releaseLock, takeLock } from '../folder/lock.ts';
import { snapshotsFolder } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';
import { MANIFEST } from './manifest-format.ts';
import type { Manifest } from './manifest-schema.ts';

const ENDING = '.tgz';

/** Pattern of a snapshot's name, which is that of its file. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9-]{0,38}$/;
/** What such a name may be, in words. */
export const SNAPSHOT_NAME_TEXT = 'a-z, 0-9 and -, at most 39 characters, not beginning with -';

/** A snapshot in the home, which outlives its devnet. */
export interface StoredSnapshot {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly saved: number;
}

/** Lists the snapshots of a home by name. */
export function storedSnapshots(io: Io): readonly StoredSnapshot[] {
  const folder = snapshotsFolder(homeOf(io));
  return namesIn(folder)
    .filter((file) => file.endsWith(ENDING) && !file.startsWith('.'))
    .map((file) => {
      const path = join(folder, file);
      return { name: basename(file, ENDING), path, bytes: fileSize(path), saved: modifiedAt(path) ?? 0 };
    });
}

/**
 * Writes a new snapshot, while no other process can write one of this name.
 * @throws Failure (exit 2) for a name that is taken or malformed, or that another process writes
 */
export async function saveAs<T>(io: Io, name: string, write: (path: string) => Promise<T>): Promise<T> {
  const path = pathOf(io, name);
  const lockPath = join(snapshotsFolder(homeOf(io)), `.${name}.lock`);
  const lock = takeLock(lockPath, 'saver');
  if (!lock.isTaken)
    throw new Failure('snapshot', `process ${lock.owner?.pid ?? '?'} saves a snapshot ${name} at this moment`, {
      exit: EXIT.usage,
      hint: 'give another name, or wait for it and remove it',
    });
  try {
    if (exists(path))
      throw new Failure('snapshot', `there is a snapshot ${name} already`, {
        exit: EXIT.usage,
        hint: `remove it with \`devnet snapshot rm ${name}\`, or give another name`,
      });
    return await write(path);
  } finally {
    releaseLock(lockPath);
  }
}

/** Finds a snapshot by its name, or a file by its path. @throws Failure (exit 2) with the names that there are */
export function findSnapshot(io: Io, word: string): string {
  const path = /[./]/.test(word) ? resolve(io.cwd, word) : pathOf(io, word);
  if (exists(path)) return path;
  const names = storedSnapshots(io).map(({ name }) => name);
  throw new Failure('snapshot', `there is no snapshot ${word}`, {
    exit: EXIT.usage,
    hint: names.length === 0 ? 'save one with `devnet snapshot save NAME`' : `saved are: ${names.join(', ')}`,
  });
}

/** Returns the file of a snapshot of the home. @throws Failure (exit 2) if there is none */
export function storedSnapshot(io: Io, name: string): string {
  pathOf(io, name);
  return findSnapshot(io, name);
}

/** Returns the path of a folder for an unfinished snapshot. `devnet gc` removes what a kill leaves. */
export function stagingFolder(io: Io): string {
  const folder = snapshotsFolder(homeOf(io));
  privateFolder(folder);
  return join(folder, `.${process.pid}-${randomBytes(4).toString('hex')}.parts`);
}

/** Writes the manifest of a snapshot's folder. */
export function writeManifest(folder: string, manifest: Manifest): void {
  replaceFile(join(folder, MANIFEST), JSON.stringify(manifest));
}

/** @throws Failure (exit 2) for a malformed name */
function pathOf(io: Io, name: string): string {
  if (SNAPSHOT_NAME.test(name)) return join(snapshotsFolder(homeOf(io)), `${name}${ENDING}`);
  throw new Failure('snapshot', `${JSON.stringify(name)} cannot be a snapshot's name`, {
    exit: EXIT.usage,
    hint: `expected ${SNAPSHOT_NAME_TEXT}`,
  });
}
