import { asBytes, asList, type RlpItem, rlpDecode, rlpSpan } from '../../../protocol/codec/rlp.ts';
import { branch, type Child, extension, hashReference, leaf, type Node, nibblesOf, StoredNode } from './node.ts';

/**
 * Decodes a node. `hash` is absent for a node inside its parent.
 * `ids` are the row ids of the nodes that it references, in the order of {@link named}. @throws ProtocolError
 * rlp-malformed
 */
export function decodeNode(rlp: Uint8Array, hash?: Uint8Array, ids: readonly number[] = []): Node {
  const items = asList(rlpDecode(rlp), 'trie node');
  const node = nodeOf(items, rlp, ids);
  node.reference = hash === undefined ? rlp : hashReference(hash);
  return node;
}

function nodeOf(items: readonly RlpItem[], rlp: Uint8Array, ids: readonly number[]): Node {
  let next = 0;
  const childOf = (item: RlpItem): Child | null => {
    // An inline node is shorter than a hash, so it references none.
    if (!(item instanceof Uint8Array)) return nodeOf(item, rlp, []);
    return item.length === 0 ? null : new StoredNode(rlp, item.byteOffset - rlp.byteOffset - 1, ids[next++]);
  };
  if (items.length === 17) return branch(items.slice(0, 16).map(childOf));
  const { path, isLeaf } = unpackPath(asBytes(items[0], 'path of a trie node'));
  return isLeaf ? leaf(path, asBytes(items[1], 'value of a trie leaf'), ids[0]) : extension(path, childOf(items[1]!)!);
}

function unpackPath(packed: Uint8Array): { path: Uint8Array; isLeaf: boolean } {
  const flag = (packed[0] ?? 0) >> 4;
  return { path: nibblesOf(packed).subarray(flag & 1 ? 1 : 2), isLeaf: flag >= 2 };
}

/** Returns what an encoded node references by hash, in order: stored children, or the storage trie of its value. */
export function named(node: Node): (Child | number)[] {
  switch (node.kind) {
    case 'leaf':
      return node.below === undefined ? [] : [node.below];
    case 'extension':
      return isInside(node.child) ? [] : [node.child];
    case 'branch': {
      const found: Child[] = [];
      for (const child of node.children) if (child !== null && !isInside(child)) found.push(child);
      return found;
    }
  }
}

/** Copies an encoded node without references to others in memory. `ids` are in the order of {@link named}. */
export function detached(node: Node, rlp: Uint8Array, ids: readonly number[]): Node {
  const copy = withIds(node, rlp, ids);
  copy.reference = node.reference!;
  return copy;
}

function withIds(node: Node, rlp: Uint8Array, ids: readonly number[]): Node {
  switch (node.kind) {
    case 'leaf':
      return leaf(node.path, node.value, ids[0]);
    case 'extension':
      if (isInside(node.child)) return node;
      return extension(node.path, new StoredNode(rlp, rlp.length - REFERENCE, ids[0]));
    case 'branch': {
      let next = 0;
      let at = rlpSpan(rlp, 0).start;
      return branch(
        node.children.map((child) => {
          const from = at;
          at += child === null ? 1 : isInside(child) ? child.reference!.length : REFERENCE;
          return child === null || isInside(child) ? child : new StoredNode(rlp, from, ids[next++]);
        }),
      );
    }
  }
}

/** Bytes of `0xa0 ‖ hash`. */
const REFERENCE = 33;

function isInside(child: Child): child is Node {
  return child.kind !== 'stored' && child.reference!.length < REFERENCE - 1;
}
