import { randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';

/** Characters of a name before its random part: a name has at most 39. */
const MAX_STEM_CHARS = 30;

/** Returns a name that no other devnet has. It consists of the spec's, the worker's and six random digits. */
export function freshName(spec: string | object | undefined, worker?: string): string {
  const specName = typeof spec === 'object' && 'name' in spec ? String(spec.name) : undefined;
  const word = specName ?? (typeof spec === 'string' ? wordOf(spec) : 'devnet');
  const clean = `${word}${worker === undefined ? '' : `-${worker}`}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_STEM_CHARS)
    .replace(/^-+|-+$/g, '');
  return `${clean === '' ? 'devnet' : clean}-${randomBytes(3).toString('hex')}`;
}

function wordOf(spec: string): string {
  const file = basename(spec).replace(/\.ya?ml$/, '');
  return file === 'devnet' ? basename(dirname(spec)) : file;
}
