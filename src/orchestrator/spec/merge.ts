import { type Problem, problemAt } from './problem.ts';
import { at, type Entry, type Mapping, type Tree } from './tree.ts';
import { FORBIDDEN, parseYaml } from './yaml.ts';

/** What belongs to a client and does not outlive its replacement by another. */
const OF_CLIENT = ['args', 'env', 'runtime', 'binary', 'ports', 'external'];

/** The overlay laid over the base: maps are merged key by key, everything else is replaced. */
export function overlay(base: Tree, over: Tree): Tree {
  if (base.kind !== 'map' || over.kind !== 'map') return over;
  const entries = new Map<string, Entry>(base.entries);
  if (isOtherClient(base, over)) for (const key of OF_CLIENT) entries.delete(key);
  for (const [key, entry] of over.entries) {
    const below = entries.get(key);
    entries.set(key, below === undefined ? entry : { key: entry.key, value: overlay(below.value, entry.value) });
  }
  return { kind: 'map', entries, span: over.span };
}

function isOtherClient(base: Mapping, over: Mapping): boolean {
  const [before, after] = [base, over].map((map) => at(map, ['client']));
  return before?.kind === 'scalar' && after?.kind === 'scalar' && before.value !== after.value;
}

/** A part of a path, the inside of its quotes as the first group. */
const PART = /"([^"]*)"|[^".[\]]+/g;

/** A tree that holds only what `path=value` sets; the value is read as YAML. Its positions are those of the words themselves. */
export function parseSet(assignment: string): {
  readonly tree: Tree | undefined;
  readonly problems: readonly Problem[];
} {
  const name = '--set';
  const source = { name, text: assignment };
  // A part is a word, or stands in quotes: a."b.c" or a["b.c"].
  const match = /^((?:"[^"]*"|[^".=[\]]+)(?:\.(?:"[^"]*"|[^".=[\]]+)|\["[^"]*"\])*)=(.*)$/s.exec(assignment);
  if (match === null) {
    const span = { source, start: 0, end: assignment.length };
    const allowed = 'path=value, such as chains.main.blockTime=1; a part that holds a dot stands in double quotes';
    return { tree: undefined, problems: [problemAt(span, 'set', [], `"${assignment}" sets nothing`, { allowed })] };
  }
  const forbidden = [...match[1]!.matchAll(PART)].find((part) => FORBIDDEN.has(part[1] ?? part[0]));
  if (forbidden !== undefined) {
    const span = { source, start: forbidden.index, end: forbidden.index + forbidden[0].length };
    const message = `"${forbidden[1] ?? forbidden[0]}" is no key of anything`;
    return { tree: undefined, problems: [problemAt(span, 'unknown-key', [], message)] };
  }
  const [, path, value] = match as unknown as [string, string, string];
  const offset = path.length + 1;
  // The value keeps its place in the line, so that its positions are right.
  const parsed = parseYaml({ name, text: ' '.repeat(offset) + value });
  if (parsed.tree === undefined) return parsed;
  let tree = relocate(
    parsed.tree.span.start === 0 && parsed.tree.kind === 'map' ? nothing(source) : parsed.tree,
    source,
  );
  const parts = [...path.matchAll(PART)].reverse();
  for (const part of parts) {
    const key = { source, start: part.index, end: part.index + part[0].length };
    const entries = new Map<string, Entry>([[part[1] ?? part[0], { key, value: tree }]]);
    tree = { kind: 'map', entries, span: key } satisfies Mapping;
  }
  return { tree, problems: parsed.problems };
}

function nothing(source: { name: string; text: string }): Tree {
  return { kind: 'scalar', value: null, span: { source, start: source.text.length, end: source.text.length + 1 } };
}

/** The same tree with its spans in another text of the same layout. */
function relocate(tree: Tree, source: { name: string; text: string }): Tree {
  const span = { ...tree.span, source };
  if (tree.kind === 'scalar') return { ...tree, span };
  if (tree.kind === 'list') return { ...tree, span, items: tree.items.map((item) => relocate(item, source)) };
  const entries = [...tree.entries].map(
    ([key, entry]) => [key, { key: { ...entry.key, source }, value: relocate(entry.value, source) }] as const,
  );
  return { kind: 'map', entries: new Map(entries), span };
}
