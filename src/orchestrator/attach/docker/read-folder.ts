import { buffer } from 'node:stream/consumers';
import type { Container } from 'dockerode';
import { Parser } from 'tar';

/** Reads the files of a folder of a container by their paths in it, also if that stands still. */
export async function filesOfFolder(container: Container, path: string): Promise<Readonly<Record<string, string>>> {
  const archive = await buffer(await container.getArchive({ path }));
  const reads: Promise<readonly [path: string, text: string]>[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      const inFolder = /^[^/]*\/(.+)$/.exec(entry.path)?.[1];
      if (inFolder === undefined || entry.type !== 'File') return void entry.resume();
      reads.push(entry.concat().then((bytes) => [inFolder, bytes.toString()] as const));
    },
  });
  await new Promise((resolve, reject) => {
    parser.on('end', resolve).on('error', reject);
    parser.end(archive);
  });
  return Object.fromEntries(await Promise.all(reads));
}
