import type { Child } from './node.ts';
import type { NodeSource } from './trie.ts';
import { EMPTY_ROOT } from './trie.ts';

/** All entries of a trie in the order of their keys, reading one path at a time. */
export function* entriesOf(
  source: NodeSource,
  root: Uint8Array,
): Generator<readonly [key: Uint8Array, value: Uint8Array]> {
  if (Buffer.compare(root, EMPTY_ROOT) === 0) return;
  yield* below(source, root, []);
}

function* below(
  source: NodeSource,
  child: Child,
  path: readonly number[],
): Generator<readonly [key: Uint8Array, value: Uint8Array]> {
  const node = child instanceof Uint8Array ? source.node(child) : child;
  switch (node.kind) {
    case 'leaf':
      yield [packed([...path, ...node.path]), node.value];
      return;
    case 'extension':
      yield* below(source, node.child, [...path, ...node.path]);
      return;
    case 'branch':
      for (const [nibble, next] of node.children.entries())
        if (next !== null) yield* below(source, next, [...path, nibble]);
  }
}

function packed(nibbles: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: nibbles.length / 2 }, (_, at) => (nibbles[2 * at]! << 4) | nibbles[2 * at + 1]!);
}
