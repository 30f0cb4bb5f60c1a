import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { create, extract } from 'tar';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { crc32 } from '../../system/files/cache.ts';
import { readInPieces, streamOf } from '../../system/files/copy.ts';
import { fileSize, filesBelow, privateFolder, remove, rename, unreadable } from '../../system/files/folder.ts';
import { printable } from '../../system/files/lines.ts';
import { DATA } from '../checkpoints/snapshots.ts';
import { readManifest } from './first-entry.ts';
import { misfit } from './manifest.ts';
import { MANIFEST } from './manifest-format.ts';
import { type Manifest, type ManifestFile, MOST_FILES } from './manifest-schema.ts';
import { refused } from './refused.ts';
import { writeManifest } from './store.ts';

/** Bytes of an archive, and of all files in it. */
const MOST = 8 * 1024 ** 3;

/**
 * Packs a snapshot's folder into a file that appears complete. The folder then holds what `unpack` makes of the file.
 * @throws Failure `write`
 */
export async function pack(folder: string, manifest: Manifest, path: string): Promise<void> {
  const files = filesBelow(join(folder, DATA)).map((name): ManifestFile => describe(folder, join(DATA, name)));
  writeManifest(folder, { ...manifest, files });
  const unfinished = `${folder}.tgz`;
  try {
    await create({ gzip: { level: 3 }, mode: 0o600, file: unfinished, cwd: folder, portable: true }, [MANIFEST, DATA]);
    if (!rename(unfinished, path)) throw new Error(`cannot rename ${unfinished}`);
  } catch (cause) {
    throw new Failure('write', `cannot write ${path}: ${messageOf(cause)}`, { exit: EXIT.lacking, cause });
  } finally {
    remove(unfinished);
  }
}

/**
 * Unpacks an archive into a new folder and checks every file in it. Nothing is left of one that is refused.
 * @throws Failure `snapshot` (exit 2) where it is damaged or does not fit this program
 */
export async function unpack(path: string, folder: string): Promise<Manifest> {
  const why = unreadable(path, MOST);
  if (why !== undefined) throw refused(path, why);
  const manifest = await readManifest(path);
  if (typeof manifest === 'string') throw refused(path, manifest);
  const unfit = misfit(manifest) ?? excess(manifest);
  if (unfit !== undefined) throw refused(path, unfit);
  privateFolder(folder);
  try {
    // Node decompresses on a thread of its own, the parser of the archive would do it on this one.
    const fits = bounded(manifest);
    const stop = new AbortController();
    // An error that the filter threw would end no stream.
    const filter: typeof fits = (name, entry) => {
      if (stop.signal.aborted) return false;
      try {
        return fits(name, entry);
      } catch (error) {
        stop.abort(error);
        return false;
      }
    };
    const files = extract({ cwd: folder, strict: true, filter });
    const flow = pipeline(streamOf(path), createGunzip({ chunkSize: 256 * 1024 }), files, { signal: stop.signal });
    await flow.catch((cause: unknown) => {
      if (stop.signal.aborted) throw refused(path, messageOf(stop.signal.reason));
      throw refused(path, `it is damaged or cut short (${messageOf(cause)})`);
    });
    if (stop.signal.aborted) throw refused(path, messageOf(stop.signal.reason));
    const reason = damage(folder, manifest);
    if (reason !== undefined) throw refused(path, reason);
    return manifest;
  } catch (error) {
    remove(folder);
    throw error;
  }
}

/** Returns why the files of a list are too much. */
function excess({ files }: Manifest): string | undefined {
  const sum = files.reduce((total, { size }) => total + size, 0);
  return sum > MOST ? `its files have more than ${MOST} bytes` : undefined;
}

/** Accepts the manifest, each of its files once and with its size, and folders. @throws Error for anything else */
function bounded({
  files,
}: Manifest): (path: string, entry: { readonly size?: number; readonly type?: unknown }) => boolean {
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  // Folders are not in the list, and empty ones belong to the data: their number is bounded only.
  let folders = 0;
  return (path, { size = 0, type }) => {
    if (path === MANIFEST) return true;
    if (/\p{Cc}/u.test(path)) throw new Error(`the name ${printable(path)} has control characters`);
    if (type === 'Directory') {
      if (++folders > MOST_FILES) throw new Error(`it holds more than ${MOST_FILES} folders`);
      return path === DATA || path.startsWith(`${DATA}/`);
    }
    const known = sizes.get(path);
    if (known === undefined) throw new Error(`${path} is not in its list of files, or is there twice`);
    if (known !== size) throw new Error(`${path} has ${size} bytes, and ${known} in its list of files`);
    sizes.delete(path);
    return type === 'File' || type === 'OldFile';
  };
}

/** Returns what is missing or changed in an unpacked folder. */
function damage(folder: string, { files }: Manifest): string | undefined {
  const found = new Set(filesBelow(join(folder, DATA)).map((name) => join(DATA, name)));
  for (const { path, size, crc32: checksum } of files) {
    if (!found.delete(path)) return `${path} is missing`;
    const now = describe(folder, path);
    if (now.size !== size || now.crc32 !== checksum) return `${path} is damaged: its checksum is another one`;
  }
  const [extra] = found;
  return extra === undefined ? undefined : `${extra} is not in its list of files`;
}

function describe(folder: string, path: string): ManifestFile {
  const file = join(folder, path);
  return { path, size: fileSize(file), crc32: crc32(readInPieces(file)) };
}
