import { join } from 'node:path';
import * as z from 'zod/mini';
import { jsonOf } from '../../rpc/json-object.ts';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { writeStream } from '../../system/files/digest.ts';
import { exists, makeFolders, readText } from '../../system/files/folder.ts';
import { packTree, unpackTree } from '../../system/files/tar-tree.ts';
import { sharedLibraries } from '../../system/process/shared-libraries.ts';
import type { ImageConfig } from './image-config.ts';

/** A layer of an image, as a file. */
export interface Layer {
  readonly path: string;
  readonly mediaType: string;
}

/** The image that ours is built upon. */
export interface Base {
  readonly config: ImageConfig;
  readonly layers: readonly Layer[];
}

const TAR = 'application/vnd.oci.image.layer.v1.tar';

/** The list of images in an archive of `docker save`, which newer OCI archives have as well. */
const manifestSchema = z.array(z.object({ Config: z.string(), Layers: z.array(z.string()) }));
const configSchema = z.looseObject({
  architecture: z.string(),
  os: z.string(),
  config: z.optional(z.looseObject({ Env: z.optional(z.array(z.string())) })),
  rootfs: z.object({ type: z.literal('layers'), diff_ids: z.array(z.string()) }),
  history: z.optional(z.array(z.looseObject({}))),
});

/**
 * Reads the base in an archive that `docker save` wrote. `folder`: an empty one, for its files.
 * @throws Failure `image` (exit 2) if the archive is none, or its image is for another processor
 */
export async function baseOfArchive(archive: string, folder: string): Promise<Base> {
  const bad = (why: string) =>
    new Failure('image', `--base: ${archive} ${why}`, {
      exit: EXIT.usage,
      hint: 'write one by `docker save node:24-bookworm-slim -o base.tar`',
    });
  if (!exists(archive)) throw bad('does not exist');
  try {
    await unpackTree(archive, folder);
  } catch (error) {
    throw bad(`cannot be unpacked as tar: ${messageOf(error)}`);
  }
  const manifest = z.safeParse(manifestSchema, jsonOf(readText(join(folder, 'manifest.json')) ?? ''));
  const [image] = manifest.success ? manifest.data : [];
  if (image === undefined) throw bad('holds no manifest.json of `docker save`');
  const config = z.safeParse(configSchema, jsonOf(readText(join(folder, image.Config)) ?? ''));
  if (!config.success) throw bad(`holds an image without a configuration: ${image.Config}`);
  const { architecture, os } = config.data;
  if (os !== 'linux' || architecture !== ARCHITECTURE)
    throw bad(`holds an image for ${os}/${architecture}, expected linux/${ARCHITECTURE}`);
  return { config: config.data, layers: image.Layers.map((path) => ({ path: join(folder, path), mediaType: TAR })) };
}

/** Name of this machine's processor in images. */
const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;

/**
 * Makes the smallest base from this machine: Node, and the libraries that it and anvil load. It has no shell.
 * @throws Failure `image` (exit 4) if this machine's programs need another C library than a Linux container has
 */
export async function baseOfMachine(folder: string): Promise<Base> {
  const libraries = sharedLibraries();
  if (libraries.length === 0)
    throw new Failure('image', 'Node of this machine does not run in a Linux container with glibc', {
      exit: EXIT.lacking,
      hint: 'name an image that has it by --base, written by `docker save node:24-bookworm-slim -o base.tar`',
    });
  makeFolders(folder);
  const files = new Map([
    ['usr/local/bin/node', process.execPath],
    ...libraries.map((path) => [path.slice(1), path] as const),
  ]);
  const path = join(folder, 'base.tar');
  const digest = await writeStream(packTree(files), path);
  const config: ImageConfig = {
    architecture: ARCHITECTURE,
    os: 'linux',
    config: { Env: ['PATH=/usr/local/bin:/usr/bin:/bin'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
    history: [{ created_by: 'devnet image save: Node and its libraries' }],
  };
  return { config, layers: [{ path, mediaType: TAR }] };
}
