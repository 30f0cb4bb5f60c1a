import { ProtocolError } from '../errors.ts';
import type { Fork } from './fork.ts';

/**
 * Returns forks in order of activation: the base, each fork after the one that it follows, optional ones by name.
 * @throws ProtocolError schedule-invalid if the forks form no chain: two of a name, two that follow one, a gap, a
 *   cycle, or an optional fork that follows one
 */
export function inOrder<Name extends string>(base: Fork<Name>, others: readonly Fork<Name>[]): Fork<Name>[] {
  const all = [base, ...others];
  if (new Set(all.map(({ name }) => name)).size < all.length) throw broken('a fork stands twice in the list', all);
  const optional = others.filter((fork) => fork.optional).sort((a, b) => (a.name < b.name ? -1 : 1));
  const chain = [base];
  for (const { name } of chain) {
    const next = others.filter(({ follows }) => follows === name);
    if (next.length > 1 || next[0]?.optional) throw broken(`${name} can be followed by one fork of the chain`, next);
    chain.push(...next);
  }
  const apart = others.filter((fork) => !chain.includes(fork) && !(fork.optional && fork.follows === null));
  if (apart.length > 0) throw broken(`no chain of forks leads from ${base.name} there`, apart);
  return [...chain, ...optional];
}

function broken(problem: string, forks: readonly Fork[]): ProtocolError<'schedule-invalid'> {
  const listed = forks.map(({ name, follows }) => (follows === null ? name : `${name} (follows ${follows})`));
  const data = { fork: forks.map(({ name }) => name).join(', ') };
  return new ProtocolError('schedule-invalid', 'fatal', `${problem}: ${listed.join(', ')}`, data);
}
