import { keccak256Bytes } from '../../../protocol/hash.ts';
import { type Child, hashReference, type Node, REFERENCE_BYTES } from './node.ts';

/** Receives each node to store, after the nodes that it references. */
export type Emit = (hash: Uint8Array, rlp: Uint8Array, node: Node) => void;

/**
 * Encodes a node and the new ones below it (geth: `hasher.hash`). `emit` receives the nodes to store. Returns the
 * reference.
 */
export function encodeNode(node: Node, emit: Emit): Uint8Array {
  if (node.reference !== undefined) return node.reference;
  const rlp = rlpOf(node, emit);
  if (rlp.length < 32) {
    node.reference = rlp;
    return rlp;
  }
  const hash = keccak256Bytes(rlp);
  const reference = hashReference(hash);
  node.reference = reference;
  emit(hash, rlp, node);
  return reference;
}

/** Returns the RLP of a node, after encoding the nodes below it. */
export function rlpOf(node: Node, emit: Emit): Uint8Array {
  switch (node.kind) {
    case 'leaf':
      return list([string(packPath(node.path, true)), string(node.value)]);
    case 'extension':
      return list([string(packPath(node.path, false)), referenceTo(node.child, emit)]);
    case 'branch':
      return branchRlp(node.children, emit);
  }
}

/** Copies up to sixteen references of a branch, each once. */
function branchRlp(children: readonly (Child | null)[], emit: Emit): Uint8Array {
  let length = 1;
  for (const child of children)
    if (child === null) length++;
    else length += child.kind === 'stored' ? REFERENCE_BYTES : encodeNode(child, emit).length;
  const { whole, start } = opened(0xc0, length);
  let to = start;
  for (const child of children) {
    if (child === null) {
      whole[to++] = 0x80;
      continue;
    }
    const isStored = child.kind === 'stored';
    // The first loop has encoded the node.
    const bytes = isStored ? child.within : encodeNode(child, emit);
    const from = isStored ? child.at : 0;
    const size = isStored ? REFERENCE_BYTES : bytes.length;
    for (let at = from; at < from + size; at++) whole[to++] = bytes[at] ?? 0;
  }
  whole[to] = 0x80;
  return whole;
}

function referenceTo(child: Child, emit: Emit): Uint8Array {
  if (child.kind === 'stored') return child.within.subarray(child.at, child.at + REFERENCE_BYTES);
  return encodeNode(child, emit);
}

/** Encodes a path with hex-prefix encoding (geth: `hexToCompact`). */
function packPath(path: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = path.length & 1;
  const packed = new Uint8Array((path.length >> 1) + 1);
  packed[0] = ((isLeaf ? 2 : 0) + odd) << 4;
  if (odd) packed[0] |= path[0] ?? 0;
  for (let from = odd, to = 1; from < path.length; from += 2, to++)
    packed[to] = ((path[from] ?? 0) << 4) | (path[from + 1] ?? 0);
  return packed;
}

function string(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes;
  return join(0x80, bytes.length, [bytes]);
}

function list(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  return join(0xc0, length, parts);
}

function join(base: number, length: number, parts: readonly Uint8Array[]): Uint8Array {
  const { whole, start } = opened(base, length);
  let at = start;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Allocates an RLP prefix and `length` bytes, which begin at `start`. */
function opened(base: number, length: number): { readonly whole: Uint8Array; readonly start: number } {
  const size = length < 56 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  const whole = new Uint8Array(1 + size + length);
  whole[0] = size === 0 ? base + length : base + 55 + size;
  for (let at = size, rest = length; at > 0; at--, rest >>= 8) whole[at] = rest & 0xff;
  return { whole, start: 1 + size };
}
