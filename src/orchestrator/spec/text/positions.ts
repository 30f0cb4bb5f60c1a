import { isMap, isNode, isScalar, type Node } from 'yaml';
import type { Path } from '../schema/json.ts';
import type { Source, Span } from './source.ts';
import { type Layer, spanOf } from './yaml.ts';

/** Documents laid over one another, the topmost first. */
export type Layers = readonly [Layer, ...Layer[]];

interface Match {
  readonly source: Source;
  readonly node: Node;
  /** Absent for an item of a list and for a whole document. */
  readonly key: Node | undefined;
}

/** Tells whether the user's texts say something at a path. */
export function isGiven(layers: Layers, path: Path): boolean {
  return find(layers, path) !== undefined;
}

/** Finds the text at a path; if there is none, the key or value nearest to it. */
export function spanAt(layers: Layers, path: Path): Span {
  for (let length = path.length; length >= 0; length--) {
    const match = find(layers, path.slice(0, length));
    if (match === undefined) continue;
    const { source, node, key } = match;
    if (isScalar(node)) return spanOf(source, node);
    // A whole map or list would put the caret on its first entry. The key that holds it says it better.
    return key === undefined ? firstLine(spanOf(source, node)) : spanOf(source, key);
  }
  return spanOf(layers[0].source, undefined);
}

/** Finds the key at the end of a path; the nearest text if there is no key. */
export function keySpanAt(layers: Layers, path: Path): Span {
  const match = find(layers, path);
  return match?.key === undefined ? spanAt(layers, path) : spanOf(match.source, match.key);
}

function find(layers: Layers, path: Path): Match | undefined {
  for (const { source, document } of layers) {
    const node = document.getIn(path, true);
    if (isNode(node)) {
      const parent = document.getIn(path.slice(0, -1));
      const pair = isMap<Node, Node>(parent)
        ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
        : undefined;
      return { source, node, key: pair?.key };
    }
    // A value that is not a map replaces everything of the layers below.
    if (path.some((_, length) => replaces(document.getIn(path.slice(0, length), true)))) return undefined;
  }
  return undefined;
}

function replaces(node: unknown): boolean {
  return isNode(node) && !isMap(node);
}

function firstLine(span: Span): Span {
  const stop = span.source.text.indexOf('\n', span.start);
  return { ...span, end: stop === -1 ? span.end : Math.min(span.end, stop) };
}
