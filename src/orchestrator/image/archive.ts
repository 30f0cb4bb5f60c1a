import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { digestOf } from '../../system/files/digest.ts';
import { fileSize } from '../../system/files/folder.ts';
import type { Layer } from './base.ts';
import type { ImageConfig } from './image-config.ts';

/** A file of an archive: a text, or the path of a file. */
type Entry = { readonly text: string } | { readonly path: string };

/**
 * Lists the files of an OCI archive with one image, by their names in it (OCI image specification, image-layout.md).
 * `manifest.json` is for Docker before version 25, which reads no OCI archive.
 */
export async function archiveEntries(
  config: ImageConfig,
  layers: readonly Layer[],
  tag: string,
): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  const addText = (mediaType: string, value: unknown) => {
    const text = JSON.stringify(value);
    const digest = createHash('sha256').update(text).digest('hex');
    entries.set(blobName(digest), { text });
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
  };
  const descriptors = await Promise.all(
    layers.map(async ({ path, mediaType }) => {
      const digest = await digestOf(path);
      entries.set(blobName(digest), { path });
      return { mediaType, digest: `sha256:${digest}`, size: fileSize(path) };
    }),
  );
  const configured = addText('application/vnd.oci.image.config.v1+json', config);
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = addText(mediaType, { schemaVersion: 2, mediaType, config: configured, layers: descriptors });
  const annotations = { 'io.containerd.image.name': fullName(tag), 'org.opencontainers.image.ref.name': tag };
  const names = (digest: string) => blobName(digest.replace('sha256:', ''));
  const images = [
    { Config: names(configured.digest), RepoTags: [tag], Layers: descriptors.map(({ digest }) => names(digest)) },
  ];
  entries.set('oci-layout', { text: '{"imageLayoutVersion":"1.0.0"}' });
  entries.set('index.json', { text: JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }) });
  entries.set('manifest.json', { text: JSON.stringify(images) });
  return entries;
}

function blobName(digest: string): string {
  return join('blobs', 'sha256', digest);
}

/** Returns a name with its registry, as containerd needs it. */
function fullName(tag: string): string {
  const [first = '', ...others] = tag.split('/');
  if (others.length === 0) return `docker.io/library/${tag}`;
  return /[.:]|^localhost$/.test(first) ? tag : `docker.io/${tag}`;
}
