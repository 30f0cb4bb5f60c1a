import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { create, extract } from 'tar';
import { crc32 } from '../../../system/cache.ts';
import { readInPieces, streamOf } from '../../../system/copy.ts';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { fileSize, filesBelow, privateFolder, readText, remove, rename, unreadable } from '../../../system/folder.ts';
import { DATA } from '../../run/snapshots.ts';
import { misfit } from './manifest.ts';
import { MANIFEST } from './manifest-format.ts';
import { type Manifest, type ManifestFile, parseManifest } from './manifest-schema.ts';
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
  privateFolder(folder);
  try {
    // Node decompresses on a thread of its own, the parser of the archive would do it on this one.
    const files = extract({ cwd: folder, strict: true, filter: bounded() });
    await pipeline(streamOf(path), createGunzip({ chunkSize: 256 * 1024 }), files).catch((cause: unknown) => {
      throw refused(path, `it is damaged or cut short (${messageOf(cause)})`);
    });
    const manifest = parseManifest(readText(join(folder, MANIFEST)) ?? '');
    if (typeof manifest === 'string') throw refused(path, manifest);
    const reason = misfit(manifest) ?? damage(folder, manifest);
    if (reason !== undefined) throw refused(path, reason);
    return manifest;
  } catch (error) {
    remove(folder);
    throw error;
  }
}

/** Accepts files and folders of a snapshot up to a sum of sizes. @throws Error past it */
function bounded(): (path: string, entry: { readonly size?: number; readonly type?: unknown }) => boolean {
  let sum = 0;
  return (path, { size = 0, type }) => {
    sum += size;
    if (sum > MOST) throw new Error(`more than ${MOST} bytes`);
    const isPart = path === MANIFEST || path === DATA || path.startsWith(`${DATA}/`);
    return isPart && (type === 'File' || type === 'OldFile' || type === 'Directory');
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
