import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { EXIT, Failure } from '../../system/failure.ts';
import { exists } from '../../system/files/folder.ts';
import type { Source } from '../spec/text/source.ts';
import { sample, sampleNames, source } from './package-files.ts';

/** The text of a spec. */
export interface FoundSpec {
  readonly source: Source;
  /** Name of the devnet if the spec has none. */
  readonly name: string;
}

/** File of the spec that a command takes if none is given. */
export const FOLDER_SPEC = 'devnet.yaml';

/** Finds a spec. @throws Failure `spec` (exit 2) if no file or sample has this name */
export function findSpec(cwd: string, spec: string | FoundSpec | undefined): FoundSpec {
  if (typeof spec === 'object') return spec;
  if (spec === undefined) return folderSpec(cwd) ?? findSpec(cwd, 'default');
  if (exists(resolve(cwd, spec)) && /[./]/.test(spec)) return fromFile(cwd, spec);
  const sampleSpec = fromSample(spec);
  if (sampleSpec !== undefined) return sampleSpec;
  if (exists(resolve(cwd, spec))) return fromFile(cwd, spec);
  const isPath = /[/]|\.ya?ml$/.test(spec);
  throw new Failure('spec', isPath ? `there is no file ${spec}` : `unknown spec ${JSON.stringify(spec)}`, {
    exit: EXIT.usage,
    hint: `give the path of a file, or one of ${sampleNames().join(', ')}`,
  });
}

/** Finds the spec of a folder; undefined if it has none. @throws Failure `spec` (exit 2) if it cannot be read */
export function folderSpec(cwd: string): FoundSpec | undefined {
  return exists(resolve(cwd, FOLDER_SPEC)) ? fromFile(cwd, FOLDER_SPEC) : undefined;
}

/** Returns whether a word names a file or a sample. */
export function isSpec(cwd: string, word: string): boolean {
  return sample(word) !== undefined || exists(resolve(cwd, word));
}

function fromSample(name: string): FoundSpec | undefined {
  const text = sample(name);
  return text === undefined ? undefined : { source: text, name };
}

function fromFile(cwd: string, name: string): FoundSpec {
  const file = source(cwd, name);
  if (file === undefined) throw new Failure('spec', `cannot read ${name}`, { exit: EXIT.usage });
  return { source: file, name: nameOfPath(resolve(cwd, name)) };
}

/** Returns the default name of a devnet: its spec's folder and four characters of the path's hash. */
export function nameOfPath(path: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 4);
  const folder = basename(dirname(isAbsolute(path) ? path : resolve(path)))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 34)
    .replace(/-+$/, '');
  return folder === '' ? `devnet-${hash}` : `${folder}-${hash}`;
}
