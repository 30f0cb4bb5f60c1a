import { createGunzip } from 'node:zlib';
import { Parser } from 'tar';
import { messageOf } from '../../system/failure.ts';
import { streamOf } from '../../system/files/copy.ts';
import { MANIFEST } from './manifest-format.ts';
import { type Manifest, parseManifest } from './manifest-schema.ts';

/** Bytes of a manifest: more than its most files need. */
const MAX_MANIFEST_BYTES = 32 * 1024 ** 2;

/**
 * Reads the first entry of an archive, which has to be its manifest. It bounds what follows, which is not read.
 * Returns why it cannot be read as text.
 */
export async function readManifest(path: string): Promise<Manifest | string> {
  let outcome: Manifest | string | undefined;
  const chunks: Buffer[] = [];
  let entries = 0;
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      if (++entries > 1) return void entry.resume();
      if (entry.path !== MANIFEST) outcome = `its first entry is not ${MANIFEST}`;
      else if (entry.size > MAX_MANIFEST_BYTES) outcome = `${MANIFEST} has more than ${MAX_MANIFEST_BYTES} bytes`;
      entry.on('end', () => (outcome ??= parseManifest(Buffer.concat(chunks).toString())));
      entry.on('data', (chunk) => chunks.push(chunk));
    },
  });
  parser.on('error', (error: unknown) => (outcome ??= damaged(error)));
  const source = streamOf(path);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  source.pipe(plain);
  try {
    let size = 0;
    for await (const chunk of plain) {
      parser.write(chunk);
      size += chunk.length;
      if (outcome !== undefined) return outcome;
      if (size > 2 * MAX_MANIFEST_BYTES) return `its first entry is not ${MANIFEST}`;
    }
    parser.end();
    return outcome ?? damaged('it ends before its manifest does');
  } catch (error) {
    return outcome ?? damaged(error);
  } finally {
    source.destroy();
  }
}

function damaged(cause: unknown): string {
  return `it is damaged or cut short (${messageOf(cause)})`;
}
