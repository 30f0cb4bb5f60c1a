import { overlay } from './merge.ts';
import { at, type Entry, type Mapping, type Path, type Tree } from './tree.ts';

/**
 * Lays what a person wrote over the default devnet, step by step. A given `chains` or `nodes` map replaces the default one. What has its defaults
 * already is left as it is. Takes trees of any shape.
 */
export function withDefaults(given: Tree, defaults: Tree): Tree {
  return STEPS.reduce((tree, { apply }) => apply(tree, defaults), given);
}

/** Each default by its name, in order. */
const STEPS: readonly { readonly name: string; readonly apply: (tree: Tree, defaults: Tree) => Tree }[] = [
  {
    name: 'the top level: version, seed, ports, time, logs',
    apply: (tree, defaults) => below(tree, defaults, ['version', 'seed', 'ports', 'time', 'logs']),
  },
  { name: 'L1', apply: (tree, defaults) => below(tree, defaults, ['l1']) },
  {
    name: 'chains, where there are none',
    apply: (tree, defaults) => (at(tree, ['chains']) === undefined ? below(tree, defaults, ['chains']) : tree),
  },
  {
    name: 'what a chain leaves out',
    apply: (tree, defaults) => eachChain(tree, (chain) => overlay(chainDefaults(chain, defaults), chain)),
  },
  {
    name: 'what a node leaves out',
    apply: (tree, defaults) => eachNode(tree, (node) => overlay(nodeDefaults(node, defaults), node)),
  },
  { name: 'chain ids', apply: chainIds },
];

function below(tree: Tree, defaults: Tree, keys: readonly string[]): Tree {
  if (tree.kind !== 'map') return tree;
  const entries = new Map(tree.entries);
  for (const key of keys) {
    const entry = defaults.kind === 'map' ? defaults.entries.get(key) : undefined;
    const own = entries.get(key);
    if (entry === undefined) continue;
    entries.set(key, own === undefined ? entry : { key: own.key, value: overlay(entry.value, own.value) });
  }
  return { ...tree, entries };
}

/** The default chain, without what the given one replaces as a whole. */
function chainDefaults(chain: Tree, defaults: Tree): Tree {
  const model = defaultChain(defaults);
  const replaced = new Set(['chainId']);
  if (at(chain, ['nodes']) !== undefined) replaced.add('nodes');
  if (at(chain, ['forks', 'base']) !== undefined) replaced.add('forks');
  if (at(chain, ['from']) !== undefined)
    for (const key of ['forks', 'blockTime', 'gasLimit', 'systemConfig']) replaced.add(key);
  return { ...model, entries: new Map([...model.entries].filter(([key]) => !replaced.has(key))) };
}

/** The clients of the default node of the same role. */
function nodeDefaults(node: Tree, defaults: Tree): Tree {
  const role = textAt(node, ['role']) ?? 'verifier';
  const nodes = entriesAt(defaultChain(defaults), ['nodes']);
  const model = nodes.find(([, { value }]) => (textAt(value, ['role']) ?? 'verifier') === role)?.[1].value;
  const clients = model?.kind === 'map' ? [...model.entries].filter(([key]) => key === 'el' || key === 'cl') : [];
  return { kind: 'map', entries: new Map(clients), span: node.span };
}

function chainIds(tree: Tree, defaults: Tree): Tree {
  const first = at(defaultChain(defaults), ['chainId']);
  const taken = new Set(chainsOf(tree).flatMap(([, { value }]) => numberAt(value, ['chainId']) ?? []));
  taken.add(numberAt(tree, ['l1', 'chainId']) ?? 0);
  return eachChain(tree, (chain) => {
    if (chain.kind !== 'map' || chain.entries.has('chainId') || chain.entries.has('from') || first?.kind !== 'scalar')
      return chain;
    let id = Number(first.value);
    while (taken.has(id)) id++;
    taken.add(id);
    const entry: Entry = { key: chain.span, value: { kind: 'scalar', value: id, span: chain.span } };
    return { ...chain, entries: new Map([['chainId', entry], ...chain.entries]) };
  });
}

function defaultChain(defaults: Tree): Mapping {
  const model = chainsOf(defaults)[0]?.[1].value;
  return model?.kind === 'map' ? model : { kind: 'map', entries: new Map(), span: defaults.span };
}

function chainsOf(tree: Tree): readonly (readonly [string, Entry])[] {
  return entriesAt(tree, ['chains']);
}

function entriesAt(tree: Tree, path: Path): readonly (readonly [string, Entry])[] {
  const found = at(tree, path);
  return found?.kind === 'map' ? [...found.entries] : [];
}

function eachChain(tree: Tree, change: (chain: Tree) => Tree): Tree {
  return eachAt(tree, 'chains', change);
}

function eachNode(tree: Tree, change: (node: Tree) => Tree): Tree {
  return eachChain(tree, (chain) => eachAt(chain, 'nodes', change));
}

/** The tree with every value of the map at a key replaced. */
function eachAt(tree: Tree, key: string, change: (value: Tree) => Tree): Tree {
  const map = at(tree, [key]);
  if (tree.kind !== 'map' || map?.kind !== 'map') return tree;
  const changed = [...map.entries].map(([name, { key: span, value }]): [string, Entry] => [
    name,
    { key: span, value: change(value) },
  ]);
  const entries = new Map(tree.entries);
  entries.set(key, { key: entries.get(key)!.key, value: { ...map, entries: new Map(changed) } });
  return { ...tree, entries };
}

function numberAt(tree: Tree, path: Path): number | undefined {
  const found = at(tree, path);
  return found?.kind === 'scalar' && typeof found.value === 'number' ? found.value : undefined;
}

function textAt(tree: Tree, path: Path): string | undefined {
  const found = at(tree, path);
  return found?.kind === 'scalar' && typeof found.value === 'string' ? found.value : undefined;
}
