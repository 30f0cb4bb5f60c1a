import { type Node, Pair, Scalar, YAMLMap } from 'yaml';
import { problemAt } from './problem.ts';
import type { Source } from './source.ts';
import { FORBIDDEN, type ParsedYaml, parseYaml, scalarAt } from './yaml.ts';

/** A part of a path, the inside of its quotes as the first group. */
const PART = /"([^"]*)"|[^".[\]]+/g;

/** A part is a word or stands in quotes: `a."b.c"` or `a["b.c"]`. */
const ASSIGNMENT = /^((?:"[^"]*"|[^".=[\]]+)(?:\.(?:"[^"]*"|[^".=[\]]+)|\["[^"]*"\])*)=/;

/** `path=value`, or `name=value` of another option that sets the value at `path`. */
export type Assignment = string | { readonly path: readonly string[]; readonly source: Source };

/** A key of a path, with its place in the text that the user wrote. */
interface PlacedKey {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Reads an assignment as a document with that path alone. The value is YAML. Positions refer to the given text. */
export function parseSet(assignment: Assignment): ParsedYaml {
  if (typeof assignment !== 'string') {
    const { path, source } = assignment;
    const end = source.text.indexOf('=');
    return documentOf(
      source,
      path.map((name) => ({ name, start: 0, end })),
      end + 1,
    );
  }
  const source: Source = { name: '--set', text: assignment };
  const path = ASSIGNMENT.exec(assignment)?.[1];
  if (path === undefined) {
    const span = { source, start: 0, end: assignment.length };
    const allowed = 'path=value, such as chains.main.blockTime=1; a part that holds a dot stands in double quotes';
    return { layer: undefined, problems: [problemAt(span, 'set', [], `"${assignment}" sets nothing`, { allowed })] };
  }
  const keys = [...path.matchAll(PART)].map((match) => ({
    name: match[1] ?? match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  return documentOf(source, keys, path.length + 1);
}

/** @param valueStart where the value begins in the text of `source` */
function documentOf(source: Source, keys: readonly PlacedKey[], valueStart: number): ParsedYaml {
  const forbidden = keys.find(({ name }) => FORBIDDEN.has(name));
  if (forbidden !== undefined) {
    const message = `"${forbidden.name}" cannot be a key`;
    return { layer: undefined, problems: [problemAt({ source, ...forbidden }, 'unknown-key', [], message)] };
  }
  // The value keeps its place in the line, so that its positions are right.
  const parsed = parseYaml(source, ' '.repeat(valueStart) + source.text.slice(valueStart));
  if (parsed.layer === undefined) return parsed;
  const { document } = parsed.layer;
  let node = document.contents ?? nothingAt(source.text.length);
  for (const { name, start, end: stop } of keys.toReversed()) {
    const map = new YAMLMap();
    map.range = [start, stop, stop];
    map.items = [new Pair(scalarAt(name, map), node)];
    node = map;
  }
  document.contents = node;
  return parsed;
}

function nothingAt(offset: number): Node {
  const nothing = new Scalar(null);
  nothing.range = [offset, offset, offset];
  return nothing;
}
