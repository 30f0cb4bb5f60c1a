import { EXIT, Failure } from '../../system/failure.ts';
import { ask, blocksAt, type Layer, numbersOf, SEARCHED_BLOCKS } from './layer.ts';

/** What a hash is of. */
type HashKind = 'block' | 'transaction';

/** Digits after 0x that a part of a hash has at least. */
const MIN_DIGITS = 4;
/** Blocks of one request. */
const STEP_BLOCKS = 200;
/** Hashes that a message names. */
const MAX_NAMED_HASHES = 4;

/** Returns whether a word is the begin of a hash, or a whole one. */
export const isHashPrefix = (word: string): boolean => new RegExp(`^0x[0-9a-fA-F]{${MIN_DIGITS},64}$`).test(word);

/**
 * Finds the only hash that begins with a text, in the newest blocks of some layers.
 * @throws Failure `missing` (exit 1) if there is none, `usage` (exit 2) if there are several
 */
export async function hashOfPrefix(layers: readonly Layer[], kind: HashKind, prefix: string): Promise<string> {
  if (prefix.length === 66) return prefix.toLowerCase();
  const hashes = new Set<string>();
  for (const layer of layers) for (const hash of await hashesAt(layer, kind, prefix.toLowerCase())) hashes.add(hash);
  const [first, ...others] = hashes;
  if (first !== undefined && others.length === 0) return first;
  const places = layers.map(({ label }) => label).join(', ');
  if (first === undefined)
    throw new Failure('missing', `no ${kind} ${prefix}… in the newest ${SEARCHED_BLOCKS} blocks of ${places}`, {
      hint: 'the whole hash finds older ones, too',
    });
  const names = [first, ...others].slice(0, MAX_NAMED_HASHES).join(', ');
  throw new Failure('usage', `${hashes.size} hashes begin with ${prefix}: ${names}`, {
    exit: EXIT.usage,
    hint: 'name more digits of the one that is meant',
  });
}

async function hashesAt(layer: Layer, kind: HashKind, prefix: string): Promise<readonly string[]> {
  const head = Number(await ask<string>(layer, 'eth_blockNumber'));
  const hashes: string[] = [];
  for (let last = head; last >= 0 && last > head - SEARCHED_BLOCKS; last -= STEP_BLOCKS) {
    const first = Math.max(0, last - STEP_BLOCKS + 1);
    for (const { hash, transactions } of await blocksAt(layer, numbersOf(first, last), false)) {
      const all: readonly unknown[] = kind === 'block' ? [hash] : Array.isArray(transactions) ? transactions : [];
      hashes.push(...all.map(String).filter((each) => each.startsWith(prefix)));
    }
  }
  return hashes;
}
