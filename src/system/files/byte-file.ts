import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Yields the bytes of a file piece by piece, unpacked if its name ends in `.gz`. @throws the system's error */
export async function* readPieces(path: string): AsyncIterable<Buffer> {
  const file = createReadStream(path);
  if (!path.endsWith('.gz')) return yield* file as AsyncIterable<Buffer>;
  const unpacked = createGunzip();
  const flow = pipeline(file, unpacked);
  flow.catch(() => {});
  yield* unpacked as AsyncIterable<Buffer>;
  await flow;
}

/** A file that is being written. */
export interface ByteWriter {
  /** Resolves when more can be written. @throws the system's error */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Resolves when all is written. @throws the system's error */
  close(): Promise<void>;
}

/** Writes a file piece by piece, from its start or after its end. Packs it if its name ends in `.gz`. */
export function writePieces(path: string, mode: 'replace' | 'append'): ByteWriter {
  const file = createWriteStream(path, { flags: mode === 'append' ? 'a' : 'w' });
  const packer = path.endsWith('.gz') ? createGzip() : undefined;
  const flow = packer === undefined ? once(file, 'close') : pipeline(packer, file);
  flow.catch(() => {});
  return writerInto(packer ?? file, flow);
}

/** Standard output. A reader that goes away ends the writing. */
export function standardOutput(): ByteWriter {
  const { stdout } = process;
  const failed = new Promise<never>((_, reject) => stdout.once('error', reject));
  failed.catch(() => {});
  return {
    async write(bytes) {
      if (!stdout.write(bytes)) await Promise.race([once(stdout, 'drain'), failed]);
    },
    close: async () => {},
  };
}

function writerInto(stream: Writable, flow: Promise<unknown>): ByteWriter {
  return {
    async write(bytes) {
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), flow]);
    },
    async close() {
      stream.end();
      await flow;
    },
  };
}
