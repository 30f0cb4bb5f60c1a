import { dirname, join } from 'node:path';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { writeStream } from '../../system/files/digest.ts';
import { makeFolders, move, remove, writePrivate } from '../../system/files/folder.ts';
import { packFolders, packTree, withHead } from '../../system/files/tar-tree.ts';
import { archiveEntries } from './archive.ts';
import { type Base, baseOfArchive, baseOfMachine } from './base.ts';
import { IMAGE_USER, IN_IMAGE, imageConfig, type PackageFacts } from './image-config.ts';
import { packageFiles } from './package-files.ts';

/** What an image is made of. */
export interface ImageSource {
  /** Folder of the package. */
  readonly root: string;
  /** Path of anvil's binary. */
  readonly anvil: string;
  /** Archive with the base; undefined: Node and the libraries of this machine. */
  readonly base: string | undefined;
  readonly tag: string;
  readonly facts: PackageFacts;
}

/** Folders of the image that its user writes, empty until a volume covers them. */
const VOLUMES = [
  { name: 'data', mode: 0o755, owner: IMAGE_USER },
  { name: 'tmp', mode: 0o1777, owner: 0 },
];

/**
 * Writes the package's image as an OCI archive, which `docker load`, containerd and registries' tools take. Needs no
 * daemon. Equal inputs give equal bytes. Returns the digest of our layer.
 * @throws Failure `image`: bad base (exit 2), or the file cannot be written (exit 4); nothing is left then
 */
export async function saveImage(file: string, source: ImageSource): Promise<string> {
  const parts = `${file}.parts`;
  remove(parts);
  try {
    makeFolders(dirname(file));
    makeFolders(parts);
    const basePath = join(parts, 'base');
    const base = await (source.base === undefined ? baseOfMachine(basePath) : baseOfArchive(source.base, basePath));
    const layer = join(parts, 'layer.tar');
    const files = packageFiles(source.root, source.anvil, IN_IMAGE);
    const digest = `sha256:${await writeStream(withHead(packFolders(VOLUMES), packTree(files)), layer)}`;
    await writeArchive(join(parts, 'image.tar'), parts, { base, layer, digest }, source);
    move(join(parts, 'image.tar'), file);
    return digest;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('image', `cannot write ${file}: ${messageOf(error)}`, { exit: EXIT.lacking, cause: error });
  } finally {
    remove(parts);
  }
}

interface Built {
  readonly base: Base;
  /** Path and digest of our layer. */
  readonly layer: string;
  readonly digest: string;
}

async function writeArchive(
  path: string,
  parts: string,
  { base, layer, digest }: Built,
  { facts, tag }: ImageSource,
): Promise<void> {
  const layers = [...base.layers, { path: layer, mediaType: 'application/vnd.oci.image.layer.v1.tar' }];
  const entries = await archiveEntries(imageConfig(base.config, digest, facts), layers, tag);
  const files = [...entries].map(([name, entry], index) => {
    if ('path' in entry) return [name, entry.path] as const;
    const text = join(parts, `${index}.json`);
    writePrivate(text, entry.text, 0o644);
    return [name, text] as const;
  });
  await writeStream(packTree(new Map(files)), path);
}
