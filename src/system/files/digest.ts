import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a stream to a file and returns its SHA-256, hex. @throws the system's error */
export async function writeStream(stream: Readable, path: string): Promise<string> {
  const hash = createHash('sha256');
  stream.on('data', (part: Uint8Array) => hash.update(part));
  await pipeline(stream, createWriteStream(path, { mode: 0o644 }));
  return hash.digest('hex');
}

/** Returns the SHA-256 of a file, hex. @throws the system's error */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Uint8Array);
  return hash.digest('hex');
}
