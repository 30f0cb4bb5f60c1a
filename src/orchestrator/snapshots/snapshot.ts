import { join } from 'node:path';
import { Failure, messageOf } from '../../system/failure.ts';
import { namesIn, readText, remove } from '../../system/files/folder.ts';
import type { SnapshotAnswer } from '../checkpoints/snapshots.ts';
import { controlOf, type Devnet, viewOf } from '../devnet/select.ts';
import { specHash } from '../state/spec-hash.ts';
import type { Io } from '../terminal/io.ts';
import { pack } from './archive.ts';
import { differing, manifestOf } from './manifest.ts';
import { MANIFEST } from './manifest-format.ts';
import { type Manifest, parseManifest } from './manifest-schema.ts';
import { refusalOf } from './refusal.ts';
import { findSnapshot, saveAs, stagingFolder, storedSnapshot, writeManifest } from './store.ts';
import { dropUnpacked, keepUnpacked, openSnapshot } from './unpacked.ts';

/** Time (ms) for a network to settle, to copy its data, or to end and start again. */
const ANSWER_TIMEOUT_MS = 300_000;

/** Snapshots without a name that a network keeps. Each is a copy of all its data. */
const MAX_UNNAMED_SNAPSHOTS = 100;

/** Saves a running network under a name in the home. Returns what was saved. @throws Failure */
export function saveSnapshot(io: Io, devnet: Devnet, name: string): Promise<Manifest> {
  return saveAs(io, name, async (path) => {
    const folder = stagingFolder(io);
    try {
      const manifest = await take(devnet, folder);
      await pack(folder, manifest, path);
      keepUnpacked(io, path, folder);
      return manifest;
    } catch (error) {
      remove(folder);
      throw error;
    }
  });
}

/** Takes a running network back to a snapshot of it, by name or by file. @throws Failure */
export async function restoreSnapshot(io: Io, devnet: Devnet, word: string): Promise<Manifest> {
  const { manifest, folder, release } = await openSnapshot(io, findSnapshot(io, word));
  try {
    await restore(devnet, folder, word, manifest);
    return manifest;
  } finally {
    release();
  }
}

/** Removes a snapshot of the home. @throws Failure (exit 2) if there is none */
export function removeSnapshot(io: Io, name: string): void {
  const path = storedSnapshot(io, name);
  dropUnpacked(io, path);
  remove(path);
}

/** Tells whether an id is of a snapshot that lives as long as its devnet. */
export function isUnnamed(id: string): boolean {
  return /^#\d+$/.test(id);
}

/** Takes a snapshot that lives as long as its devnet. Returns its id. @throws Failure */
export async function takeUnnamed(devnet: Devnet): Promise<string> {
  const all = join(devnet.paths.folder, 'snapshots');
  const names = namesIn(all);
  if (names.length >= MAX_UNNAMED_SNAPSHOTS)
    throw new Failure('snapshot', `${devnet.paths.name} has ${names.length} snapshots, the most that it keeps`, {
      hint: 'take one snapshot and go back to it as often as needed, or save one by name',
    });
  const number = Math.max(0, ...names.map(Number)) + 1;
  await take(devnet, join(all, String(number)), number);
  return `#${number}`;
}

/** Takes a running network back to a snapshot of `takeUnnamed`. @throws Failure */
export async function restoreUnnamed(devnet: Devnet, id: string): Promise<void> {
  const folder = join(devnet.paths.folder, 'snapshots', id.slice(1));
  const manifest = parseManifest((isUnnamed(id) && readText(join(folder, MANIFEST))) || '');
  if (typeof manifest === 'string') throw refusalOf(id, `${devnet.paths.name} has no such snapshot`);
  await restore(devnet, folder, id, manifest, Number(id.slice(1)));
}

/** `point`: the processes take a checkpoint too, with this number. */
async function take(devnet: Devnet, folder: string, point?: number): Promise<Manifest> {
  const { plan } = viewOf(devnet);
  const spec = readText(devnet.paths.spec) ?? '';
  const { at } = await ask(devnet, { action: 'take', folder, ...(point === undefined ? {} : { point }) });
  try {
    const manifest = manifestOf(plan, spec, at);
    writeManifest(folder, manifest);
    return manifest;
  } catch (error) {
    remove(folder);
    throw error;
  }
}

async function restore(
  devnet: Devnet,
  folder: string,
  name: string,
  manifest: Manifest,
  point?: number,
): Promise<void> {
  const difference = differing(manifest, viewOf(devnet).plan);
  if (difference !== undefined)
    throw refusalOf(
      name,
      `it is of another network than ${devnet.paths.name}; ${difference}`,
      `nothing was done; \`devnet up --from ${name}\` starts a network from it`,
    );
  const spec = specHash(readText(devnet.paths.spec) ?? '');
  const checkpoint = point === undefined ? {} : { point };
  await ask(devnet, { action: 'revert', folder, at: manifest.at, spec, ...checkpoint });
}

interface RequestBody {
  readonly action: 'take' | 'revert';
  readonly folder: string;
  readonly at?: number;
  readonly spec?: string;
  readonly point?: number;
}

async function ask(devnet: Devnet, body: RequestBody): Promise<SnapshotAnswer> {
  const control = await controlOf(devnet);
  try {
    return await control.ask<SnapshotAnswer>({ method: 'snapshot', ...body }, ANSWER_TIMEOUT_MS);
  } catch (error) {
    const code =
      error instanceof Failure && (error.code === 'starting' || error.code === 'busy') ? error.code : 'snapshot';
    throw new Failure(code, messageOf(error), { data: { request: 'snapshot' }, cause: error });
  } finally {
    control.close();
  }
}
