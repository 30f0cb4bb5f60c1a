import { type Child, type Leaf, nibblesOf, type StoredNode } from './node.ts';
import { EMPTY_ROOT, type NodeSource } from './trie.ts';

/** Yields the entries of a trie from a key on, in order of their keys (geth: `NodeIterator`). */
export function* entriesOf(
  source: NodeSource,
  root: StoredNode,
  from: Uint8Array = new Uint8Array(0),
): Generator<readonly [key: Uint8Array, leaf: Leaf]> {
  if (Buffer.compare(root.hash, EMPTY_ROOT) === 0) return;
  yield* below(source, root, [], nibblesOf(from));
}

function* below(
  source: NodeSource,
  child: Child,
  path: readonly number[],
  from: Uint8Array,
): Generator<readonly [key: Uint8Array, leaf: Leaf]> {
  if (isBefore(path, from)) return;
  const node = child.kind === 'stored' ? source.node(child) : child;
  switch (node.kind) {
    case 'leaf':
      if (!isBefore([...path, ...node.path], from)) yield [packed([...path, ...node.path]), node];
      return;
    case 'extension':
      yield* below(source, node.child, [...path, ...node.path], from);
      return;
    case 'branch':
      for (const [nibble, next] of node.children.entries())
        if (next !== null) yield* below(source, next, [...path, nibble], from);
  }
}

/** Returns whether all keys with a prefix precede a key. */
function isBefore(path: readonly number[], key: Uint8Array): boolean {
  for (let at = 0; at < path.length && at < key.length; at++)
    if (path[at] !== key[at]) return (path[at] ?? 0) < (key[at] ?? 0);
  return false;
}

function packed(nibbles: readonly number[]): Uint8Array {
  return Uint8Array.from(
    { length: nibbles.length / 2 },
    (_, at) => ((nibbles[2 * at] ?? 0) << 4) | (nibbles[2 * at + 1] ?? 0),
  );
}
