import * as z from 'zod/mini';
import { conductor as conductorSchema } from '../schema/chain.ts';
import type { Path } from '../schema/json.ts';
import { DEFAULT_L1_FORK } from '../schema/l1-forks.ts';
import { CLIENTS } from '../schema/process.ts';
import type { GivenSpec } from '../schema/spec.ts';
import type { ChainSpec, ConductorSpec, NodeSpec, ProcessSpec, Runtime, Spec } from '../schema/types.ts';
import type { ClientFacts } from './client.ts';
import { connectionsOf, usualTopology } from './topology.ts';

/** A resolved spec, and where each node of it stands in the text. */
export interface Resolved {
  readonly spec: Spec;
  /** Path of a node, the same one for all that a `count` made. */
  nodePath(chain: string, node: string): Path;
  /** Names that a `count` made twice or that stand twice. */
  readonly repeated: readonly { readonly chain: string; readonly node: string; readonly path: Path }[];
}

type GivenNodes = GivenSpec['chains'][string]['nodes'];
interface Launched {
  client: string;
  runtime: ProcessSpec['runtime'];
}
type Launch = <T extends Partial<Launched> & { binary?: string; image?: string; launch: 'spawn' | 'manual' }>(
  process: T,
  path: Path,
  client?: string,
) => T & Launched;

/** Least default (s) of the time between two proposals. More than one in an L1 block is for catching up. */
const MIN_PROPOSAL_INTERVAL_SECONDS = 4;

/** Default clock of games with a challenger, in L1 blocks: twice what derivation and an attack take. */
const CHALLENGED_L1_BLOCKS = 6;

/** Templates of L1 for the names of execution clients that run one. */
const L1_CLIENTS: Readonly<Record<string, string>> = {
  'execution-go': 'l1-execution-go',
  'execution-rust': 'l1-execution-rust',
};

/** Fills in what depends on other keys or on clients. `clientOf` finds a client that is named at a path. */
export function resolveSpec(
  input: GivenSpec,
  name: string,
  clientOf: (client: string, path: Path) => ClientFacts | undefined,
): Resolved {
  const paths = new Map<string, Path>();
  const repeated: { chain: string; node: string; path: Path }[] = [];
  const launch: Launch = (process, path, fallback = '') => {
    const client = process.client ?? fallback;
    const runtimes = clientOf(client, path)?.runtimes ?? [];
    return { ...process, client, runtime: process.runtime ?? runtimeOf(process, runtimes, input.runtime) };
  };
  const { base, l1, chains, ...rest } = input;
  const { port, beacon, ...l1Process } = l1;
  const freeId = freeIds(input);
  // An existing chain's id is in its files: it takes none from the others.
  const ids = new Map(
    Object.entries(chains).flatMap(([chain, { chainId, from }]) =>
      chainId === undefined && from === null ? [[chain, freeId()]] : [],
    ),
  );
  const resolved: Record<string, ChainSpec> = {};
  for (const [
    chain,
    { chainId, batcher, proposer, signer, altDa, conductor, nodes, peers, ...others },
  ] of Object.entries(chains)) {
    const path = ['chains', chain];
    const expanded = expand(nodes);
    const topology = peers ?? usualTopology(expanded.length);
    resolved[chain] = {
      ...others,
      peers: topology,
      chainId: chainId ?? ids.get(chain) ?? freeId(),
      batcher: batcher && launch(batcher, [...path, 'batcher']),
      proposer: proposer && {
        ...launch(proposer, [...path, 'proposer']),
        interval: proposer.interval ?? Math.max(MIN_PROPOSAL_INTERVAL_SECONDS, l1.blockTime),
        gameClock: proposer.gameClock ?? (proposer.challenger === null ? 1 : CHALLENGED_L1_BLOCKS * l1.blockTime),
        challenger: proposer.challenger && launch(proposer.challenger, [...path, 'proposer', 'challenger']),
      },
      signer: signer && launch(signer, [...path, 'signer']),
      altDa: altDa && launch(altDa, [...path, 'altDa']),
      conductor: conductor && conductorOf(conductor, [...path, 'conductor'], launch, clientOf),
      nodes: nodesOf(expanded, launch, { topology, seed: input.seed }, ([node, place]) => {
        const at = [...path, 'nodes', place];
        if (paths.has(`${chain}/${node}`)) repeated.push({ chain, node, path: at });
        else paths.set(`${chain}/${node}`, at);
        return at;
      }),
    };
  }
  return {
    spec: {
      ...rest,
      name: input.name ?? name,
      l1: {
        ...launch({ ...l1Process, client: L1_CLIENTS[l1Process.client] ?? l1Process.client }, ['l1']),
        hardfork: l1.hardfork ?? l1.forks.base ?? DEFAULT_L1_FORK,
        beacon: launch(beacon, ['l1', 'beacon']),
      },
      chains: resolved,
    },
    repeated,
    nodePath: (chain, node) => paths.get(`${chain}/${node}`) ?? ['chains', chain, 'nodes', node],
  };
}

/** With a conductor that leads one sequencer alone, the package's own process stands before the set. */
function conductorOf(
  process: NonNullable<GivenSpec['chains'][string]['conductor']>,
  path: Path,
  launch: Launch,
  clientOf: (client: string, path: Path) => ClientFacts | undefined,
): ConductorSpec {
  const leadsOne = clientOf(process.client, path)?.leadsOne === true;
  if (!leadsOne) return { ...launch(process, path), front: null };
  const front = launch({ ...z.decode(conductorSchema, {}), ports: rpcOf(process.ports) }, path);
  return { ...launch(process, path), front };
}

/** The port of the spec is that of the process before the set. */
function rpcOf({ rpc }: Readonly<Record<string, number>>): Record<string, number> {
  return rpc === undefined ? {} : { rpc };
}

/**
 * Returns the runtime of a process that names none. A process that the user starts is none of `runtime: docker`, and
 * another runtime of the whole spec goes for the clients that have it.
 */
function runtimeOf(
  { binary, image, launch }: { binary?: string; image?: string; launch: 'spawn' | 'manual' },
  runtimes: readonly Runtime[],
  ofSpec: Runtime | undefined,
): Runtime {
  if (image !== undefined) return 'docker';
  if (binary !== undefined) return 'process';
  if (ofSpec === 'docker' && launch === 'spawn') return 'docker';
  if (ofSpec !== undefined && ofSpec !== 'docker' && runtimes.includes(ofSpec)) return ofSpec;
  return runtimes.includes('embedded') ? 'embedded' : 'process';
}

/** Name, key in the spec, and node. */
type Expanded = readonly [string, string, GivenNodes[string]];

function expand(nodes: GivenNodes): readonly Expanded[] {
  return Object.entries(nodes).flatMap(([key, node]): Expanded[] =>
    node.count === undefined
      ? [[key, key, node]]
      : Array.from({ length: node.count }, (_, index) => [`${key}-${index + 1}`, key, node]),
  );
}

/** The parts of a spec that the connections of a chain's nodes follow from. */
interface Connecting {
  readonly topology: string;
  readonly seed: number;
}

function nodesOf(
  expanded: readonly Expanded[],
  launch: Launch,
  { topology, seed }: Connecting,
  place: (node: Expanded) => Path,
): Record<string, NodeSpec> {
  const all = [...new Set(expanded.map(([name]) => name))];
  const sequencer = expanded.find(([, , { role }]) => role === 'sequencer')?.[0] ?? all[0] ?? '';
  const links = connectionsOf(topology, { names: all, sequencer, seed });
  const peersOf = new Map(expanded.map(([name, , { peers }]) => [name, peers]));
  // A node that names its peers is dialled by those alone, and by nodes that name it.
  const wants = (other: string, self: string) => peersOf.get(other)?.includes(self) ?? true;
  const nodes: Record<string, NodeSpec> = {};
  for (const one of expanded) {
    const [name, , { count, ...node }] = one;
    const path = place(one);
    nodes[name] = {
      ...node,
      el: launch(node.el, [...path, 'el'], CLIENTS[node.role]),
      cl: launch(node.cl, [...path, 'cl']),
      peers: peersOf.get(name) ?? all.filter((other) => links.get(name)?.has(other) && wants(other, name)),
    };
  }
  return nodes;
}

/** Counts chain ids from 901 on that neither L1 nor a chain has. */
function freeIds({ l1, chains }: GivenSpec): () => number {
  const ids = new Set([l1.chainId, ...Object.values(chains).map(({ chainId }) => chainId)]);
  let next = 901;
  return () => {
    while (ids.has(next)) next++;
    return next++;
  };
}
