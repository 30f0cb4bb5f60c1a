import { dirname, isAbsolute, resolve } from 'node:path';
import { isMap, isScalar, type Node, Pair, YAMLMap } from 'yaml';
import { type Layer, scalarAt } from './yaml.ts';

/** A path in which `*` stands for any key. */
type Places = readonly string[];

const PROCESSES: readonly Places[] = [
  ['l1'],
  ['l1', 'beacon'],
  ['chains', '*', 'batcher'],
  ['chains', '*', 'proposer'],
  ['chains', '*', 'proposer', 'challenger'],
  ['chains', '*', 'signer'],
  ['chains', '*', 'altDa'],
  ['chains', '*', 'conductor'],
  ['chains', '*', 'nodes', '*', 'el'],
  ['chains', '*', 'nodes', '*', 'cl'],
];
const MAPS: readonly Places[] = [...PROCESSES, ['chains'], ['chains', '*'], ['chains', '*', 'nodes', '*']];
const FILES: readonly Places[] = [
  ['chains', '*', 'from', 'genesis'],
  ['chains', '*', 'from', 'rollup'],
  ['chains', '*', 'bundles', '*'],
  ['chains', '*', 'alloc'],
  ['l1', 'alloc'],
  ['abi'],
  ['chains', '*', 'nodes', '*', 'el', 'external', 'jwt'],
];

/**
 * Writes out short forms in place: a client's name alone, a key without a value, `l1.port`, relative paths.
 * Merging needs the long forms. Relative paths start from the text's folder, from `cwd` if it has none.
 */
export function expandShorthands({ source, document }: Layer, cwd: string): void {
  const root = document.contents;
  for (const pair of pairsAt(root, MAPS)) if (isScalar(pair.value) && pair.value.value === null) pair.value = mapOf([]);
  for (const pair of pairsAt(root, [['chains', '*', 'conductor']]))
    if (isScalar(pair.value) && pair.value.value === true) pair.value = mapOf([]);
  for (const pair of pairsAt(root, PROCESSES))
    if (isScalar(pair.value) && typeof pair.value.value === 'string')
      pair.value = mapOf([new Pair(scalarAt('client', pair.value), pair.value)]);
  for (const { value } of pairsAt(root, [['l1']])) if (isMap(value)) expandPort(value);

  const folder = source.path === undefined ? cwd : dirname(source.path);
  for (const pair of pairsAt(root, FILES)) makeAbsolute(pair.value, folder);
  // A bare word is a template of the package or a program on the PATH.
  for (const pair of pairsAt(
    root,
    PROCESSES.flatMap((path) => [
      [...path, 'client'],
      [...path, 'binary'],
    ]),
  ))
    if (isScalar(pair.value) && isPath(String(pair.value.value))) makeAbsolute(pair.value, folder);
}

/** Tells whether a client or binary is given by its path. */
export function isPath(word: string): boolean {
  return word.includes('/') || /\.ya?ml$/.test(word);
}

function expandPort(l1: YAMLMap): void {
  const [port] = pairsAt(l1, [['port']]);
  if (port === undefined) return;
  const [ports] = pairsAt(l1, [['ports']]);
  const others = isMap(ports?.value) ? ports.value.items.filter((pair) => keyOf(pair) !== 'rpc') : [];
  const rpc = new Pair(scalarAt('rpc', port.key), port.value);
  l1.items = l1.items.filter((pair) => pair !== port && pair !== ports);
  l1.items.push(new Pair(scalarAt('ports', port.key), mapOf([...others, rpc])));
}

function makeAbsolute(node: Node | null, folder: string): void {
  if (!isScalar(node) || typeof node.value !== 'string' || isAbsolute(node.value)) return;
  // The schema refuses these as they stand.
  if (node.value !== '' && !node.value.includes('\0')) node.value = resolve(folder, node.value);
}

/** Makes a map whose place is that of its key. */
function mapOf(items: readonly Pair[]): YAMLMap {
  const map = new YAMLMap();
  map.items = [...items];
  return map;
}

function pairsAt(root: Node | null, places: readonly Places[]): readonly Pair<Node, Node>[] {
  return places.flatMap((path) => [...pairsOf(root, path)]);
}

function* pairsOf(node: Node | null, [first, ...rest]: Places): Generator<Pair<Node, Node>> {
  if (!isMap<Node, Node>(node)) return;
  for (const pair of node.items)
    if (first === '*' || first === keyOf(pair)) {
      if (rest.length === 0) yield pair;
      else yield* pairsOf(pair.value, rest);
    }
}

function keyOf({ key }: Pair): unknown {
  return isScalar(key) ? key.value : undefined;
}
