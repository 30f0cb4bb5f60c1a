import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Parser } from 'tar';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { streamOf } from '../../system/files/copy.ts';
import { unreadable } from '../../system/files/folder.ts';
import { DOCUMENT_LIMITS } from '../spec/text/bounds.ts';
import type { Source } from '../spec/text/source.ts';

/** Bytes of an archive that is read. */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;

/** Bytes that it holds unpacked: logs, which compress well. */
const MOST_UNPACKED = 4 * MAX_ARCHIVE_BYTES;

/** Reads the scenario and the spec of an archive of at most `most` bytes unpacked. @throws Failure `bundle` (exit 2) */
export async function readBundle(
  name: string,
  path: string,
  most = MOST_UNPACKED,
): Promise<{ readonly scenario: Source; readonly spec: Source | undefined }> {
  const problem = unreadable(path, MAX_ARCHIVE_BYTES);
  if (problem !== undefined) throw refused(name, problem);
  const texts = new Map<string, string>();
  const reads: Promise<void>[] = [];
  try {
    const entries = new Parser({
      strict: true,
      onReadEntry(entry) {
        const word = basename(entry.path);
        const isWanted = /^[^/]+\/(scenario|spec)\.yaml$/.test(entry.path) && entry.size <= DOCUMENT_LIMITS.bytes;
        if (!isWanted || texts.has(word)) return void entry.resume();
        reads.push(entry.concat().then((bytes) => void texts.set(word, bytes.toString())));
      },
    });
    let failure: unknown;
    entries.on('error', (error: unknown) => (failure ??= error));
    let left = most;
    for await (const chunk of unzipped(path)) {
      left -= chunk.length;
      if (left < 0) throw new Error(`it holds more than ${most} bytes`);
      entries.write(chunk);
      if (failure !== undefined) throw failure;
    }
    entries.end();
    await Promise.all(reads);
  } catch (error) {
    throw refused(name, messageOf(error));
  }
  const scenario = texts.get('scenario.yaml');
  const spec = texts.get('spec.yaml');
  if (scenario === undefined) throw refused(name, 'it holds no scenario.yaml; a bundle of a run has one');
  return {
    scenario: { name: `${name}:scenario.yaml`, text: scenario },
    spec: spec === undefined ? undefined : { name: `${name}:spec.yaml`, text: spec },
  };
}

/** Returns the decompressed bytes of a file. */
function unzipped(path: string): AsyncIterable<Buffer> {
  const source = streamOf(path);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  plain.on('close', () => source.destroy());
  return source.pipe(plain);
}

function refused(name: string, why: string): Failure {
  return new Failure('bundle', `cannot read ${name}: ${why}`, { exit: EXIT.usage });
}
