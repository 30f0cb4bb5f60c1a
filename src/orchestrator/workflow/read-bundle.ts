import { basename } from 'node:path';
import { list } from 'tar';
import { EXIT, Failure, messageOf } from '../../system/failure.ts';
import { unreadable } from '../../system/folder.ts';
import { LIMITS } from '../spec/bounds.ts';
import type { Source } from '../spec/source.ts';

/** Bytes of an archive that is read. */
const MOST = 256 * 1024 * 1024;

/** Reads the scenario and the spec of an archive. @throws Failure `bundle` (exit 2) */
export async function readBundle(
  name: string,
  path: string,
): Promise<{ readonly scenario: Source; readonly spec: Source | undefined }> {
  const problem = unreadable(path, MOST);
  if (problem !== undefined) throw refused(name, problem);
  const texts = new Map<string, string>();
  const reads: Promise<void>[] = [];
  try {
    await list({
      file: path,
      strict: true,
      onReadEntry(entry) {
        const word = basename(entry.path);
        const isWanted = /^[^/]+\/(scenario|spec)\.yaml$/.test(entry.path) && entry.size <= LIMITS.bytes;
        if (!isWanted || texts.has(word)) return void entry.resume();
        reads.push(entry.concat().then((bytes) => void texts.set(word, bytes.toString())));
      },
    });
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

function refused(name: string, why: string): Failure {
  return new Failure('bundle', `cannot read ${name}: ${why}`, { exit: EXIT.usage });
}
