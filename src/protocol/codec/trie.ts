import { compareBytes } from '../bytes.ts';
import { EMPTY_TRIE_ROOT } from '../execution/constants.ts';
import { keccak256Bytes } from '../hash.ts';
import { hexToBytes } from '../hex.ts';
import { rlpEncode, rlpListOfEncoded, rlpUint } from './rlp.ts';

type Entry = readonly [key: Uint8Array, value: Uint8Array];

const EMPTY_ENCODED = Uint8Array.of(0x80);

/**
 * Root of the Merkle Patricia trie that holds the entries, 32 bytes. Keys are used as they are; of entries with the same key the last one counts, and
 * one with an empty value is left out.
 */
export function trieRoot(entries: Iterable<Entry>): Uint8Array {
  const sorted = [...entries].sort(([left], [right]) => compareBytes(left, right));
  const kept = sorted.filter(([key, value], index) => {
    const next = sorted[index + 1];
    return value.length > 0 && (next === undefined || compareBytes(key, next[0]) !== 0);
  });
  return kept.length === 0 ? hexToBytes(EMPTY_TRIE_ROOT) : keccak256Bytes(encodeNode(kept, 0, kept.length, 0));
}

/** Like {@link trieRoot}, with the keccak-256 of each key: state and storage tries. */
export function secureTrieRoot(entries: Iterable<Entry>): Uint8Array {
  return trieRoot(Array.from(entries, ([key, value]) => [keccak256Bytes(key), value] as const));
}

/** Root of the trie of encoded items by their RLP-encoded index: transactionsRoot, receiptsRoot. */
export function orderedTrieRoot(items: readonly Uint8Array[]): Uint8Array {
  return trieRoot(items.map((item, index) => [rlpEncode(rlpUint(index)), item] as const));
}

/** RLP of the node over sorted entries [from, to), whose keys agree before nibble `depth`. */
function encodeNode(entries: readonly Entry[], from: number, to: number, depth: number): Uint8Array {
  const [first, value] = entries[from]!;
  if (to - from === 1) return rlpListOfEncoded([hexPrefix(first, depth, first.length * 2, true), rlpEncode(value)]);
  const last = entries[to - 1]![0];
  let shared = depth;
  while (shared < first.length * 2 && nibble(first, shared) === nibble(last, shared)) shared++;
  if (shared === depth) return encodeBranch(entries, from, to, depth);
  return rlpListOfEncoded([hexPrefix(first, depth, shared, false), reference(encodeBranch(entries, from, to, shared))]);
}

function encodeBranch(entries: readonly Entry[], from: number, to: number, depth: number): Uint8Array {
  const items: Uint8Array[] = [];
  let at = from;
  let own: Uint8Array = EMPTY_ENCODED;
  if (entries[at]![0].length * 2 === depth) own = rlpEncode(entries[at++]![1]);
  for (let branch = 0; branch < 16; branch++) {
    const start = at;
    while (at < to && nibble(entries[at]![0], depth) === branch) at++;
    items.push(at === start ? EMPTY_ENCODED : reference(encodeNode(entries, start, at, depth + 1)));
  }
  items.push(own);
  return rlpListOfEncoded(items);
}

/** A node within its parent: itself where shorter than a hash, else its hash. */
function reference(node: Uint8Array): Uint8Array {
  return node.length < 32 ? node : rlpEncode(keccak256Bytes(node));
}

function nibble(key: Uint8Array, index: number): number {
  const byte = key[index >> 1]!;
  return index % 2 === 0 ? byte >> 4 : byte & 15;
}

/** Encoded compact path of nibbles [from, to) of a key. */
function hexPrefix(key: Uint8Array, from: number, to: number, leaf: boolean): Uint8Array {
  const odd = (to - from) % 2;
  const path = new Uint8Array(1 + (to - from - odd) / 2);
  path[0] = (leaf ? 0x20 : 0) | (odd === 1 ? 0x10 | nibble(key, from) : 0);
  for (let at = 1, source = from + odd; at < path.length; at++, source += 2) {
    path[at] = (nibble(key, source) << 4) | nibble(key, source + 1);
  }
  return rlpEncode(path);
}
