import { asBytes, asList, type RlpItem, rlpDecode, rlpSpan } from '../../../protocol/codec/rlp.ts';
import { present } from '../../../protocol/present.ts';
import {
  type Branch,
  branch,
  type Child,
  extension,
  hashReference,
  leaf,
  type Node,
  nibblesOf,
  REFERENCE_BYTES,
  StoredNode,
} from './node.ts';

/**
 * Decodes a node (geth: `decodeNode`). `hash` is absent for a node inside its parent.
 * `ids` are the row ids of the nodes that it references, in the order of {@link references}. @throws ProtocolError
 * rlp-malformed
 */
export function decodeNode(rlp: Uint8Array, hash?: Uint8Array, ids: readonly number[] = []): Node {
  const node = storedBranch(rlp, ids) ?? nodeOf(asList(rlpDecode(rlp), 'trie node'), rlp, ids);
  node.reference = hash === undefined ? rlp : hashReference(hash);
  return node;
}

/** Decodes a branch of stored children, the most frequent node, without views of its items. Others are undefined. */
function storedBranch(rlp: Uint8Array, ids: readonly number[]): Branch | undefined {
  const { start, end } = rlpSpan(rlp, 0);
  if (end !== rlp.length) return undefined;
  const children: (Child | null)[] = [];
  let next = 0;
  let at = start;
  while (children.length < 16) {
    const first = rlp[at];
    if (first === 0x80) {
      children.push(null);
      at++;
    } else if (first === 0xa0) {
      children.push(new StoredNode(rlp, at, ids[next++]));
      at += REFERENCE_BYTES;
    } else return undefined;
  }
  return rlp[at] === 0x80 && at + 1 === end ? branch(children) : undefined;
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
  const [, value] = items;
  if (isLeaf) return leaf(path, asBytes(value, 'value of a trie leaf'), ids[0]);
  const child = value === undefined ? null : childOf(value);
  if (child === null) throw new Error('missing child of a trie extension');
  return extension(path, child);
}

function unpackPath(packed: Uint8Array): { path: Uint8Array; isLeaf: boolean } {
  const flag = (packed[0] ?? 0) >> 4;
  return { path: nibblesOf(packed).subarray(flag & 1 ? 1 : 2), isLeaf: flag >= 2 };
}

/** Returns the references by hash of an encoded node, in order: stored children, or the storage trie of its value. */
export function references(node: Node): (Child | number)[] {
  switch (node.kind) {
    case 'leaf':
      return node.below === undefined ? [] : [node.below];
    case 'extension':
      return isInside(node.child) ? [] : [node.child];
    case 'branch': {
      const children: Child[] = [];
      for (const child of node.children) if (child !== null && !isInside(child)) children.push(child);
      return children;
    }
  }
}

/** Copies an encoded node without references to others in memory. `ids` are in the order of {@link references}. */
export function detachNode(node: Node, rlp: Uint8Array, ids: readonly number[]): Node {
  const copy = withIds(node, rlp, ids);
  copy.reference = referenceOf(node);
  return copy;
}

function withIds(node: Node, rlp: Uint8Array, ids: readonly number[]): Node {
  switch (node.kind) {
    case 'leaf':
      return leaf(node.path, node.value, ids[0]);
    case 'extension':
      if (isInside(node.child)) return node;
      return extension(node.path, new StoredNode(rlp, rlp.length - REFERENCE_BYTES, ids[0]));
    case 'branch': {
      let next = 0;
      let at = rlpSpan(rlp, 0).start;
      return branch(
        node.children.map((child) => {
          const from = at;
          at += child === null ? 1 : isInside(child) ? referenceOf(child).length : REFERENCE_BYTES;
          return child === null || isInside(child) ? child : new StoredNode(rlp, from, ids[next++]);
        }),
      );
    }
  }
}

function isInside(child: Child): child is Node {
  return child.kind !== 'stored' && referenceOf(child).length < REFERENCE_BYTES - 1;
}

/** Returns the reference of an encoded node. */
function referenceOf({ reference }: Node): Uint8Array {
  return present(reference, 'reference of an encoded trie node');
}
