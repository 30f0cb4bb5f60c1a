import type { Source } from './source.ts';
import type { Entry, Scalar, Tree } from './tree.ts';

/** A tree as JSON data, without its text: begin and end of every value, keys with their own. */
export type PackedTree =
  | readonly ['s', number, number, Scalar['value']]
  | readonly ['l', number, number, readonly PackedTree[]]
  | readonly ['m', number, number, readonly (readonly [string, number, number, PackedTree])[]];

/** A tree that another process can read back with {@link unpackTree}. */
export function packTree(tree: Tree): PackedTree {
  const { start, end } = tree.span;
  if (tree.kind === 'scalar') return ['s', start, end, tree.value];
  if (tree.kind === 'list') return ['l', start, end, tree.items.map(packTree)];
  const entries = [...tree.entries].map(
    ([name, { key, value }]) => [name, key.start, key.end, packTree(value)] as const,
  );
  return ['m', start, end, entries];
}

/** The tree of a text that was packed before. */
export function unpackTree(packed: PackedTree, source: Source): Tree {
  const [kind, start, end, content] = packed;
  const span = { source, start, end };
  if (kind === 's') return { kind: 'scalar', value: content, span };
  if (kind === 'l') return { kind: 'list', items: content.map((item) => unpackTree(item, source)), span };
  const entries = content.map(([name, from, to, value]): [string, Entry] => [
    name,
    { key: { source, start: from, end: to }, value: unpackTree(value, source) },
  ]);
  return { kind: 'map', entries: new Map(entries), span };
}
