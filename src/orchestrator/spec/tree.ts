import type { Span } from './source.ts';

/** A parsed document in which every value and key knows where it stands. */
export type Tree = Scalar | Mapping | List;

export interface Scalar {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  readonly span: Span;
}

export interface Mapping {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Entry>;
  readonly span: Span;
}

export interface Entry {
  readonly key: Span;
  readonly value: Tree;
}

interface List {
  readonly kind: 'list';
  readonly items: readonly Tree[];
  readonly span: Span;
}

/** A path into a document. */
export type Path = readonly (string | number)[];

/** The document's values without their positions. */
export function plain(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(plain);
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, plain(value)]));
}

/** What stands at a path, or undefined. */
export function at(tree: Tree | undefined, path: Path): Tree | undefined {
  let current = tree;
  for (const part of path) {
    if (current?.kind === 'map') current = current.entries.get(String(part))?.value;
    else if (current?.kind === 'list') current = current.items[Number(part)];
    else return undefined;
  }
  return current;
}

/** The stretch of text at a path; where the path leads to nothing, the key or value nearest to it. */
export function spanAt(tree: Tree, path: Path): Span {
  for (let length = path.length; length > 0; length--) {
    const found = at(tree, path.slice(0, length));
    if (found === undefined) continue;
    // A whole map or list would put the caret on its first entry; the key that holds it says it better.
    return found.kind === 'scalar' ? found.span : (keyAt(tree, path.slice(0, length)) ?? firstLine(found.span));
  }
  return firstLine(tree.span);
}

/** The key at the end of a path, undefined for a list's item and for the root. */
export function keyAt(tree: Tree, path: Path): Span | undefined {
  const parent = at(tree, path.slice(0, -1));
  return parent?.kind === 'map' ? parent.entries.get(String(path.at(-1)))?.key : undefined;
}

function firstLine(span: Span): Span {
  const stop = span.source.text.indexOf('\n', span.start);
  return { ...span, end: stop === -1 ? span.end : Math.min(span.end, stop) };
}
