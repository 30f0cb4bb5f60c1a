import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { create, extract } from 'tar';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { crc32 } from '../../system/files/cache.ts';
import { readInPieces, streamOf } from '../../system/files/copy.ts';
import { fileSize, privateFolder, remove, rename, unreadable } from '../../system/files/folder.ts';
import { filesBelow, foldersBelow } from '../../system/files/listing.ts';
import { DATA } from '../checkpoints/snapshots.ts';
import { entriesOf } from './entries.ts';
import { readManifest } from './first-entry.ts';
import { excess, MOST_BYTES } from './limits.ts';
import { misfit } from './manifest.ts';
import { MANIFEST } from './manifest-format.ts';
import { type Manifest, type ManifestFile, parseManifest } from './manifest-schema.ts';
import { refusalOf } from './refusal.ts';
import { writeManifest } from './store.ts';

/**
 * Packs a snapshot's folder into a file that appears complete. The folder then holds what `unpack` makes of the file.
 * @throws Failure `write`, or `snapshot` (exit 2) for data that `unpack` would refuse; no file is written then
 */
export async function pack(folder: string, manifest: Manifest, path: string): Promise<void> {
  const paths = filesBelow(join(folder, DATA)).map((name) => join(DATA, name));
  const sizes = paths.map((each) => ({ path: each, size: fileSize(join(folder, each)) }));
  const problem = excess(sizes, foldersBelow(join(folder, DATA)));
  if (problem !== undefined) throw unfit(path, problem.why, `nothing was saved; ${problem.hint}`);
  const whole = { ...manifest, files: paths.map((each) => describe(folder, each)) };
  const parsed = parseManifest(JSON.stringify(whole));
  if (typeof parsed === 'string') throw unfit(path, parsed, 'nothing was saved; rename or remove that file');
  writeManifest(folder, whole);
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
 * @throws Failure `snapshot` (exit 2) if it is damaged or does not fit this program
 */
export async function unpack(path: string, folder: string): Promise<Manifest> {
  const why = unreadable(path, MOST_BYTES);
  if (why !== undefined) throw refusalOf(path, why);
  const manifest = await readManifest(path);
  if (typeof manifest === 'string') throw refusalOf(path, manifest);
  const problem = misfit(manifest) ?? excess(manifest.files)?.why;
  if (problem !== undefined) throw refusalOf(path, problem);
  privateFolder(folder);
  try {
    // Node decompresses on a thread of its own, the parser of the archive would do it on this one.
    const fits = entriesOf(manifest);
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
      if (stop.signal.aborted) throw refusalOf(path, messageOf(stop.signal.reason));
      throw refusalOf(path, `it is damaged or cut short (${messageOf(cause)})`);
    });
    if (stop.signal.aborted) throw refusalOf(path, messageOf(stop.signal.reason));
    const reason = damage(folder, manifest);
    if (reason !== undefined) throw refusalOf(path, reason);
    return manifest;
  } catch (error) {
    remove(folder);
    throw error;
  }
}

/** Returns what is missing or changed in an unpacked folder. */
function damage(folder: string, { files }: Manifest): string | undefined {
  const rest = new Set(filesBelow(join(folder, DATA)).map((name) => join(DATA, name)));
  for (const { path, size, crc32: checksum } of files) {
    if (!rest.delete(path)) return `${path} is missing`;
    const now = describe(folder, path);
    if (now.size !== size || now.crc32 !== checksum) return `${path} is damaged: its checksum is another one`;
  }
  const [extra] = rest;
  return extra === undefined ? undefined : `${extra} is not in its list of files`;
}

function unfit(path: string, why: string, hint: string): Failure {
  return new Failure('snapshot', `cannot save the snapshot ${path}: ${why}`, { exit: EXIT.usage, hint });
}

function describe(folder: string, path: string): ManifestFile {
  const file = join(folder, path);
  return { path, size: fileSize(file), crc32: crc32(readInPieces(file)) };
}
