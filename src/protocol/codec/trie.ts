import { byteAt, compareBytes } from '../bytes.ts';
import { EMPTY_TRIE_ROOT } from '../execution/constants.ts';
import { keccak256Bytes } from '../hash.ts';
import { hexToBytes } from '../hex.ts';
import { present } from '../present.ts';
import { type Resumable, runToCompletion } from '../resumable.ts';
import { rlpEncode, rlpHead, rlpUint } from './rlp.ts';

type Entry = readonly [key: Uint8Array, value: Uint8Array];

const EMPTY_ENCODED = Uint8Array.of(0x80);

/**
 * Computes the root (32 bytes) of the Merkle Patricia trie of the entries (geth: `StackTrie`).
 * Keys are used as they are. Of entries with the same key the last one counts. An entry with an empty value is left
 * out.
 */
export function trieRoot(entries: Iterable<Entry>): Uint8Array {
  const sorted = [...entries].sort(([left], [right]) => compareBytes(left, right));
  const distinct = sorted.filter(([key, value], index) => {
    const next = sorted[index + 1];
    return value.length > 0 && (next === undefined || compareBytes(key, next[0]) !== 0);
  });
  return runToCompletion(rootOf(distinct));
}

/** Computes the root over entries in the order of their keys. Each key occurs once, no value is empty. */
function* rootOf(entries: readonly Entry[]): Resumable<Uint8Array> {
  if (entries.length === 0) return hexToBytes(EMPTY_TRIE_ROOT);
  return keccak256Bytes(yield* encodeNode(entries, 0, entries.length, 0));
}

/** Like {@link trieRoot}, with the keccak-256 of each key: state and storage tries (geth: `StateTrie`). */
export function secureTrieRoot(entries: Iterable<Entry>): Uint8Array {
  return trieRoot(Array.from(entries, ([key, value]) => [keccak256Bytes(key), value] as const));
}

/**
 * Computes the root of encoded items by their RLP-encoded index: transactionsRoot, receiptsRoot.
 * Counterparts: `DeriveSha` (geth), `ordered_trie_root_with_encoder` (alloy).
 */
export const orderedTrieRoot = (items: readonly Uint8Array[]): Uint8Array => runToCompletion(orderedTrieSteps(items));

/** {@link orderedTrieRoot} in steps of sixteen items at most. */
export function* orderedTrieSteps(items: readonly Uint8Array[]): Resumable<Uint8Array> {
  const entries: Entry[] = [];
  const add = (index: number) => {
    const item = items[index];
    if (item !== undefined && item.length > 0) entries.push([indexKey(index), item]);
  };
  // Order of the keys: 1 to 127 are their own encoding, 0 is 0x80, larger indices have longer keys.
  for (let index = 1; index < 0x80; index++) add(index);
  add(0);
  for (let index = 0x80; index < items.length; index++) add(index);
  return yield* rootOf(entries);
}

const indexKeys: Uint8Array[] = [];

/** RLP of an index; the same for every block. */
function indexKey(index: number): Uint8Array {
  for (let next = indexKeys.length; next <= index; next++) indexKeys.push(rlpEncode(rlpUint(next)));
  return indexKeys[index] as Uint8Array;
}

/** Receives the trie's nodes. It hashes or copies each one before the next call, and before any await. */
let scratch = new Uint8Array(4096);

/** Encodes a node of encoded items. The result is valid until the next one is written. */
function node(items: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const item of items) size += item.length;
  const head = rlpHead(size, 'list');
  if (scratch.length < head.length + size) scratch = new Uint8Array(2 * (head.length + size));
  scratch.set(head);
  let at = head.length;
  for (const item of items) {
    scratch.set(item, at);
    at += item.length;
  }
  return scratch.subarray(0, at);
}

function entryAt(entries: readonly Entry[], index: number): Entry {
  return present(entries[index], 'trie entry');
}

/** Encodes the node over sorted entries [from, to), whose keys agree before nibble `depth`. */
function* encodeNode(entries: readonly Entry[], from: number, to: number, depth: number): Resumable<Uint8Array> {
  const head = entryAt(entries, from);
  if (to - from === 1) return encodeLeaf(head, depth);
  const [first] = head;
  const [last] = entryAt(entries, to - 1);
  let shared = depth;
  while (shared < first.length * 2 && nibble(first, shared) === nibble(last, shared)) shared++;
  if (shared === depth) return yield* encodeBranch(entries, from, to, depth);
  return node([hexPrefix(first, depth, shared, false), reference(yield* encodeBranch(entries, from, to, shared))]);
}

function encodeLeaf([key, value]: Entry, depth: number): Uint8Array {
  const path = hexPrefix(key, depth, key.length * 2, true);
  const isItself = value.length === 1 && byteAt(value, 0) < 0x80;
  return node(isItself ? [path, value] : [path, rlpHead(value.length, 'string'), value]);
}

function* encodeBranch(entries: readonly Entry[], from: number, to: number, depth: number): Resumable<Uint8Array> {
  yield;
  const items: Uint8Array[] = [];
  let at = from;
  let branchValue: Uint8Array = EMPTY_ENCODED;
  const [first, value] = entryAt(entries, at);
  if (first.length * 2 === depth) {
    branchValue = rlpEncode(value);
    at++;
  }
  for (let branch = 0; branch < 16; branch++) {
    const start = at;
    while (at < to && nibble(entryAt(entries, at)[0], depth) === branch) at++;
    if (at === start) items.push(EMPTY_ENCODED);
    // Most children are leaves, which are encoded without a yield.
    else if (at === start + 1) items.push(reference(encodeLeaf(entryAt(entries, start), depth + 1)));
    else items.push(reference(yield* encodeNode(entries, start, at, depth + 1)));
  }
  items.push(branchValue);
  return node(items);
}

/** Returns a parent's reference to a node: the node itself if it is shorter than a hash, else its hash. */
function reference(encoded: Uint8Array): Uint8Array {
  return encoded.length < 32 ? encoded.slice() : rlpEncode(keccak256Bytes(encoded));
}

function nibble(key: Uint8Array, index: number): number {
  const byte = byteAt(key, index >> 1);
  return index % 2 === 0 ? byte >> 4 : byte & 15;
}

/** Encodes the compact path of nibbles [from, to) of a key. */
function hexPrefix(key: Uint8Array, from: number, to: number, leaf: boolean): Uint8Array {
  const odd = (to - from) % 2;
  const path = new Uint8Array(1 + (to - from - odd) / 2);
  path[0] = (leaf ? 0x20 : 0) | (odd === 1 ? 0x10 | nibble(key, from) : 0);
  for (let at = 1, source = from + odd; at < path.length; at++, source += 2) {
    path[at] = (nibble(key, source) << 4) | nibble(key, source + 1);
  }
  return rlpEncode(path);
}
