import { byteAt, compareBytes } from '../bytes.ts';
import { rlpListOfEncoded } from '../codec/rlp.ts';
import { keccak256Bytes } from '../hash.ts';
import { bytesToHex } from '../hex.ts';
import { present } from '../present.ts';
import type { Hex } from '../types.ts';

const EMPTY = Uint8Array.of(0x80);

/** A trie entry: a 32-byte path and the encoded value. */
export interface TrieEntry {
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Computes the root of the Merkle-Patricia trie over 32-byte paths (yellow paper, appendix D).
 * It stores no node and takes no later insertion, which makes it fast enough for the thousands of accounts of a
 * genesis.
 */
export function trieRoot(entries: readonly TrieEntry[]): Hex {
  if (entries.length === 0) return bytesToHex(keccak256Bytes(EMPTY));
  const sorted = [...entries].sort((a, b) => compareBytes(a.path, b.path));
  return bytesToHex(keccak256Bytes(node(sorted, 0, sorted.length, 0)));
}

/** RLP of the node over the entries [from, to), whose paths agree in their first `depth` nibbles. */
function node(entries: readonly TrieEntry[], from: number, to: number, depth: number): Uint8Array {
  const { path, value } = entryAt(entries, from);
  if (to - from === 1) return rlpListOfEncoded([compactPath(path, depth, 64, 0x20), byteString(value)]);
  const shared = sharedUntil(path, entryAt(entries, to - 1).path, depth);
  if (shared > depth) {
    return rlpListOfEncoded([compactPath(path, depth, shared, 0), reference(node(entries, from, to, shared))]);
  }
  const children: Uint8Array[] = new Array(17).fill(EMPTY);
  for (let start = from; start < to; ) {
    const digit = nibble(entryAt(entries, start).path, depth);
    let end = start + 1;
    while (end < to && nibble(entryAt(entries, end).path, depth) === digit) end++;
    children[digit] = reference(node(entries, start, end, depth + 1));
    start = end;
  }
  return rlpListOfEncoded(children);
}

function entryAt(entries: readonly TrieEntry[], index: number): TrieEntry {
  return present(entries[index], 'trie entry');
}

function nibble(path: Uint8Array, at: number): number {
  const byte = byteAt(path, at >> 1);
  return at % 2 === 0 ? byte >> 4 : byte & 15;
}

/** How a parent holds a child: short nodes themselves, others by hash. */
function reference(encoded: Uint8Array): Uint8Array {
  return encoded.length < 32 ? encoded : byteString(keccak256Bytes(encoded));
}

function sharedUntil(first: Uint8Array, last: Uint8Array, depth: number): number {
  let at = depth;
  while (at < 64 && nibble(first, at) === nibble(last, at)) at++;
  return at;
}

/** RLP of the hex-prefix encoding of nibbles [from, to) (yellow paper, appendix C). */
function compactPath(path: Uint8Array, from: number, to: number, flag: 0 | 0x20): Uint8Array {
  const odd = (to - from) % 2;
  const bytes = new Uint8Array(1 + ((to - from - odd) >> 1));
  bytes[0] = flag | (odd === 1 ? 0x10 | nibble(path, from) : 0);
  for (let at = from + odd, into = 1; at < to; at += 2, into++)
    bytes[into] = (nibble(path, at) << 4) | nibble(path, at + 1);
  return byteString(bytes);
}

/** RLP of a byte string of at most 255 bytes, the longest that a state or storage trie holds. */
function byteString(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && byteAt(bytes, 0) < 0x80) return bytes;
  const head = bytes.length < 56 ? 1 : 2;
  const out = new Uint8Array(head + bytes.length);
  out[0] = head === 1 ? 0x80 + bytes.length : 0xb8;
  if (head === 2) out[1] = bytes.length;
  out.set(bytes, head);
  return out;
}
