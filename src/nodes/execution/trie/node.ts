import { asBytes, asList, type RlpItem, rlpDecode } from '../../../protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';

/**
 * Nodes of the Merkle Patricia trie (Yellow Paper, appendix D) over keys of one length, so that no branch holds a value. Nodes are immutable:
 * an update makes new ones along its path and shares the rest. A child is the node itself, or the hash under which the store keeps it.
 */
export type Node = Leaf | Extension | Branch;
export type Child = Node | Uint8Array;

interface Encoded {
  /** How a parent names this node: `0xa0 ‖ hash`, or the node's own RLP where that is shorter than 32 bytes. Absent until it is encoded. */
  reference?: Uint8Array;
}
export interface Leaf extends Encoded {
  readonly kind: 'leaf';
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}
export interface Extension extends Encoded {
  readonly kind: 'extension';
  readonly path: Uint8Array;
  readonly child: Child;
}
export interface Branch extends Encoded {
  readonly kind: 'branch';
  /** 16 children by nibble. */
  readonly children: readonly (Child | null)[];
}

export const leaf = (path: Uint8Array, value: Uint8Array): Leaf => ({ kind: 'leaf', path, value });
export const branch = (children: readonly (Child | null)[]): Branch => ({ kind: 'branch', children });
/** An extension, or the child itself where the path is empty. */
export const extension = (path: Uint8Array, child: Child): Extension => ({ kind: 'extension', path, child });

/** The half-bytes of a key, high one first. */
export function nibblesOf(key: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(key.length * 2);
  for (let at = 0; at < key.length; at++) {
    nibbles[at * 2] = key[at]! >> 4;
    nibbles[at * 2 + 1] = key[at]! & 15;
  }
  return nibbles;
}

/** Hex-prefix encoding of a path. */
function packPath(path: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = path.length & 1;
  const packed = new Uint8Array((path.length >> 1) + 1);
  packed[0] = ((isLeaf ? 2 : 0) + odd) << 4;
  if (odd) packed[0] |= path[0]!;
  for (let from = odd, to = 1; from < path.length; from += 2, to++) packed[to] = (path[from]! << 4) | path[from + 1]!;
  return packed;
}

function unpackPath(packed: Uint8Array): { path: Uint8Array; isLeaf: boolean } {
  const flag = packed[0]! >> 4;
  return { path: nibblesOf(packed).subarray(flag & 1 ? 1 : 2), isLeaf: flag >= 2 };
}

/** The node that the bytes encode; `reference` is how it was found, if by hash. @throws ProtocolError rlp-malformed */
export function decodeNode(rlp: Uint8Array, hash?: Uint8Array): Node {
  const node = nodeOf(rlpDecode(rlp));
  node.reference = hash === undefined ? rlp : hashReference(hash);
  return node;
}

function nodeOf(item: RlpItem): Node {
  const items = asList(item, 'trie node');
  if (items.length === 17) return branch(items.slice(0, 16).map(childOf));
  const { path, isLeaf } = unpackPath(asBytes(items[0], 'path of a trie node'));
  return isLeaf ? leaf(path, asBytes(items[1], 'value of a trie leaf')) : extension(path, childOf(items[1]!)!);
}

function childOf(item: RlpItem): Child | null {
  if (!(item instanceof Uint8Array)) return nodeOf(item);
  return item.length === 0 ? null : item;
}

function hashReference(hash: Uint8Array): Uint8Array {
  const reference = new Uint8Array(33);
  reference[0] = 0xa0;
  reference.set(hash, 1);
  return reference;
}

/** Encodes a node and the new ones under it; `emit` receives what must be stored. Returns the reference. */
export function encodeNode(node: Node, emit: (hash: Uint8Array, rlp: Uint8Array) => void): Uint8Array {
  if (node.reference !== undefined) return node.reference;
  const rlp = rlpOf(node, emit);
  if (rlp.length < 32) {
    node.reference = rlp;
    return rlp;
  }
  const hash = keccak256Bytes(rlp);
  emit(hash, rlp);
  const reference = hashReference(hash);
  node.reference = reference;
  return reference;
}

/** The RLP of a node; nodes under it are encoded first. */
export function rlpOf(node: Node, emit: (hash: Uint8Array, rlp: Uint8Array) => void): Uint8Array {
  const reference = (child: Child) => (child instanceof Uint8Array ? hashReference(child) : encodeNode(child, emit));
  switch (node.kind) {
    case 'leaf':
      return list([string(packPath(node.path, true)), string(node.value)]);
    case 'extension':
      return list([string(packPath(node.path, false)), reference(node.child)]);
    case 'branch':
      return list([...node.children.map((child) => (child === null ? EMPTY_STRING : reference(child))), EMPTY_STRING]);
  }
}

const EMPTY_STRING = Uint8Array.of(0x80);

function string(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && bytes[0]! < 0x80) return bytes;
  return join(0x80, bytes.length, [bytes]);
}

function list(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  return join(0xc0, length, parts);
}

function join(base: number, length: number, parts: readonly Uint8Array[]): Uint8Array {
  const size = length < 56 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  const whole = new Uint8Array(1 + size + length);
  whole[0] = size === 0 ? base + length : base + 55 + size;
  for (let at = size, rest = length; at > 0; at--, rest >>= 8) whole[at] = rest & 0xff;
  let at = 1 + size;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
