import { keccak256Text } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';

/** The nodes of a chain, as far as their connections follow from them. */
interface Members {
  /** In the order of the spec. */
  readonly names: readonly string[];
  readonly sequencer: string;
  /** Decides a random topology, with the names. */
  readonly seed: number;
}

/**
 * Most nodes that all connect with each other by default. A mesh of 21 nodes has 210 connections, each with two
 * handshakes: it is ready after 14 s on two cores, and takes twice the processor time of `random:4` after that.
 */
const MAX_MESH_NODES = 8;

/** Returns the topology of a chain whose spec names none. */
export function usualTopology(nodes: number): string {
  return nodes > MAX_MESH_NODES ? 'random:4' : 'mesh';
}

/**
 * Returns the names of the nodes that each node keeps connected.
 * `topology`: mesh, ring, star, or random:N, in which each node has at least N connections if there are so many nodes.
 * The graph is connected, and each connection stands at both of its nodes.
 */
export function connectionsOf(topology: string, members: Members): ReadonlyMap<string, ReadonlySet<string>> {
  const links = new Map(members.names.map((name) => [name, new Set<string>()]));
  const connect = (a: string, b: string) => {
    if (a === b) return;
    links.get(a)?.add(b);
    links.get(b)?.add(a);
  };
  for (const [a, b] of pairsOf(topology, members)) connect(a, b);
  if (!topology.startsWith('random:')) return links;
  const degree = Number(topology.slice('random:'.length));
  // The ring connects all. Further pairs in a random order bring each node to its number of connections.
  for (const [a, b] of shuffled(allPairs(members.names), members.seed)) {
    const isShort = (name: string) => (links.get(name)?.size ?? 0) < degree;
    if (isShort(a) || isShort(b)) connect(a, b);
  }
  return links;
}

type Pair = readonly [string, string];

function pairsOf(topology: string, { names, sequencer, seed }: Members): readonly Pair[] {
  if (topology === 'mesh') return allPairs(names);
  if (topology === 'star') return names.map((name) => [sequencer, name]);
  const order =
    topology === 'ring'
      ? names
      : shuffled(
          names.map((name) => [name] as const),
          seed,
        ).flat();
  return order.map((name, index) => [name, order[(index + 1) % order.length] ?? name]);
}

function allPairs(names: readonly string[]): readonly Pair[] {
  return names.flatMap((a, index) => names.slice(index + 1).map((b): Pair => [a, b]));
}

/** Orders lists of names by hashes of them and the seed. */
function shuffled<List extends readonly string[]>(lists: readonly List[], seed: number): readonly List[] {
  const keyed = lists.map((list) => [bytesToHex(keccak256Text(JSON.stringify([seed, ...list]))), list] as const);
  return keyed.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list);
}
