import { dirname, isAbsolute, resolve } from 'node:path';
import type { Entry, Mapping, Path, Tree } from './tree.ts';

/** `*` stands for any key. */
const PROCESSES: readonly Path[] = [
  ['l1'],
  ['l1', 'beacon'],
  ['chains', '*', 'batcher'],
  ['chains', '*', 'proposer'],
  ['chains', '*', 'nodes', '*', 'el'],
  ['chains', '*', 'nodes', '*', 'cl'],
];
const MAPS: readonly Path[] = [...PROCESSES, ['chains'], ['chains', '*'], ['chains', '*', 'nodes', '*']];

/** Writes out the short forms: a client's name alone, a key with nothing behind it, `l1.port`. Done before anything is laid over anything. */
export function normalise(tree: Tree): Tree {
  const maps = MAPS.reduce(
    (current, path) => edit(current, path, (value) => (isNothing(value) ? emptyMap(value) : value)),
    tree,
  );
  const named = PROCESSES.reduce((current, path) => edit(current, path, clientOf), maps);
  return edit(named, ['l1'], (l1) => {
    if (l1.kind !== 'map' || !l1.entries.has('port')) return l1;
    const { port, ...rest } = Object.fromEntries(l1.entries) as Record<string, Entry>;
    const ports = rest['ports']?.value;
    const inner = new Map(ports?.kind === 'map' ? ports.entries : []).set('rpc', port!);
    const value: Mapping = { kind: 'map', entries: inner, span: port!.value.span };
    return { ...l1, entries: new Map(Object.entries({ ...rest, ports: { key: port!.key, value } })) };
  });
}

const FILES: readonly Path[] = [
  ['chains', '*', 'from', 'genesis'],
  ['chains', '*', 'from', 'rollup'],
  ['chains', '*', 'bundles', '*'],
  ['chains', '*', 'alloc'],
  ['l1', 'alloc'],
  ['chains', '*', 'nodes', '*', 'el', 'external', 'jwt'],
];

/** Makes file names absolute: from the folder of the text they stand in, `cwd` where that is no file. */
export function absolutise(tree: Tree, cwd: string): Tree {
  const absolute = (value: Tree): Tree => {
    if (value.kind !== 'scalar' || typeof value.value !== 'string' || isAbsolute(value.value)) return value;
    const folder = value.span.source.path === undefined ? cwd : dirname(value.span.source.path);
    return { ...value, value: resolve(folder, value.value) };
  };
  // A bare word is a template of the package or a program on the PATH.
  const pathOnly = (value: Tree) =>
    value.kind === 'scalar' && typeof value.value === 'string' && isPath(value.value) ? absolute(value) : value;
  const files = FILES.reduce((current, path) => edit(current, path, absolute), tree);
  return PROCESSES.flatMap((path) => [
    [...path, 'client'],
    [...path, 'binary'],
  ]).reduce((current, path) => edit(current, path, pathOnly), files);
}

/** Whether a client or binary is given by its path. */
export function isPath(word: string): boolean {
  return word.includes('/') || /\.ya?ml$/.test(word);
}

function clientOf(value: Tree): Tree {
  if (value.kind !== 'scalar' || typeof value.value !== 'string') return value;
  return { kind: 'map', entries: new Map([['client', { key: value.span, value }]]), span: value.span };
}

function isNothing(value: Tree): boolean {
  return value.kind === 'scalar' && value.value === null;
}

function emptyMap({ span }: Tree): Tree {
  return { kind: 'map', entries: new Map(), span };
}

/** The tree with what stands at a path, and only if something does, replaced. */
function edit(tree: Tree, path: Path, change: (value: Tree) => Tree): Tree {
  const [first, ...rest] = path;
  if (first === undefined) return change(tree);
  if (tree.kind !== 'map') return tree;
  const entries = [...tree.entries].map(([key, entry]): [string, Entry] =>
    first === '*' || first === key ? [key, { key: entry.key, value: edit(entry.value, rest, change) }] : [key, entry],
  );
  return { ...tree, entries: new Map(entries) };
}
