import { randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';

/** Characters of a name before its random part: a name has at most 39. */
const LONGEST = 30;

/** Returns a name that no other devnet has: that of the spec and six random characters. */
export function freshName(spec: string | object | undefined): string {
  const given = typeof spec === 'object' && 'name' in spec ? String(spec.name) : undefined;
  const word = given ?? (typeof spec === 'string' ? wordOf(spec) : 'devnet');
  const clean = word
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return `${clean === '' ? 'devnet' : clean}-${randomBytes(3).toString('hex')}`;
}

function wordOf(spec: string): string {
  const file = basename(spec).replace(/\.ya?ml$/, '');
  return file === 'devnet' ? basename(dirname(spec)) : file;
}
