import { EXIT, Failure } from '../../../system/failure.ts';
import { type Devnet, viewOf, withControl } from '../../devnet/select.ts';
import { chainOf } from '../../devnet/select-chain.ts';
import { usesContainers } from '../../runtimes/docker/containers.ts';
import { connectionsOf } from '../../spec/resolve/topology.ts';
import { at, edit, isList, isMap, type Json } from '../../spec/schema/json.ts';
import { NAME_PATTERN, NAME_TEXT } from '../../spec/schema/words.ts';
import type { Assignment } from '../../spec/text/set.ts';
import type { Io } from '../../terminal/io.ts';
import { planAgain } from '../plan-again.ts';
import { portsOfNew } from './new-ports.ts';

/** A node that joins a running chain. */
export interface NodeWish {
  readonly name: string;
  /** Name of its chain; may be left out if the devnet has one. */
  readonly chain?: string | undefined;
  /** Clients of its processes. Absent: those of a verifier that names none. */
  readonly el?: string | undefined;
  readonly cl?: string | undefined;
  /** Nodes that it keeps connected. Absent: as the chain's topology says; empty: none. */
  readonly peers?: readonly string[] | undefined;
  /** The rollup node whose safe and finalized heads it follows in place of deriving. */
  readonly follow?: string | undefined;
  /** Keys of the node as `--set` writes them: `el.args.gcmode=full`. */
  readonly set?: readonly string[];
}

/** A node that has joined. */
export interface AddedNode {
  readonly node: string;
  /** Its unsafe head, on which it agrees with another node of its chain. */
  readonly head: { readonly number: number; readonly hash: string };
  readonly notices: readonly string[];
}

/** Time (ms) for the processes to start, and for the node to agree with another one. */
const JOIN_TIMEOUT_MS = 600_000;

/**
 * Adds a verifier to a chain of a running network, and waits until it agrees with another node. The spec of the devnet
 * has it from then on. What does not become ready is removed again. No other process restarts.
 * @throws Failure
 */
export async function addNode(io: Io, devnet: Devnet, wish: NodeWish): Promise<AddedNode> {
  const { name } = wish;
  const chain = chainOf(viewOf(devnet).plan, wish.chain);
  if (!NAME_PATTERN.test(name)) throw usage(`${JSON.stringify(name)} cannot be a name: expected ${NAME_TEXT}`);
  if (chain.nodes.some((node) => node.name === name))
    throw usage(
      `the chain ${chain.name} has a node ${name} already: ${chain.nodes.map((node) => node.name).join(', ')}`,
    );
  let notices: readonly string[] = [];
  let newPorts: Readonly<Record<string, number>> = {};
  return withControl(devnet, async (control) => {
    const isNew = ({ chain: of, node }: { readonly chain?: string; readonly node?: string }) =>
      of === chain.name && node === name;
    const { plan, next, ...again } = await planAgain(io, devnet, {
      edit: (spec) => withNode(spec, chain.name, wish),
      set: assignmentsOf(chain.name, wish),
      stays: (task) => !isNew(task),
      async newPorts(before, loaded, hiddenHost) {
        const result = await portsOfNew(before, loaded, devnet.paths, hiddenHost);
        notices = result.notices;
        newPorts = result.ports;
        return newPorts;
      },
    });
    const tasks = next.tasks.filter(isNew);
    const odd = tasks.find(({ launch }) => launch !== 'spawn');
    if (odd !== undefined) throw usage(`${odd.id} is ${odd.launch}: devnet must start both processes of a new node`);
    if (usesContainers({ ...next, tasks }))
      throw usage(`${name} runs in containers: their network is made when the devnet starts, so that none can join`);
    const ports = { ...plan.ports, ...newPorts };
    const { head } = await control.ask<Pick<AddedNode, 'head'>>(
      { method: 'nodes', change: { ...again, plan: { ...next, notices: plan.notices, ports } } },
      JOIN_TIMEOUT_MS,
    );
    return { node: `${chain.name}/${name}`, head, notices };
  });
}

/** Returns the values that the command line sets, each at its path. */
function assignmentsOf(chain: string, { name, el, cl, peers, follow, set = [] }: NodeWish): readonly Assignment[] {
  const path = ['chains', chain, 'nodes', name];
  const option = (flag: string, keys: readonly string[], value: string | undefined): readonly Assignment[] =>
    value === undefined ? [] : [{ path: [...path, ...keys], source: { name: flag, text: `${keys.at(-1)}=${value}` } }];
  return [
    ...option('--el', ['el', 'client'], el),
    ...option('--cl', ['cl', 'client'], cl),
    ...option('--peers', ['peers'], peers && `[${peers.join(', ')}]`),
    ...option('--follow', ['cl', 'follow'], follow),
    ...set.map((text) => `${path.join('.')}.${text}`),
  ];
}

/** Adds a node to a devnet's own spec, whose nodes all name their peers. It gets those of the chain's topology. */
function withNode(spec: Json, chain: string, { name }: NodeWish): Json {
  const { nodes, peers: topology, seed } = chainIn(spec, chain);
  const sequencer = nodes.find(([, node]) => at(node, ['role']) === 'sequencer')?.[0] ?? '';
  const names = [...nodes.map(([other]) => other), name];
  const links = connectionsOf(topology, { names, sequencer, seed }).get(name) ?? new Set<string>();
  // A node without peers is alone on purpose.
  const isAlone = (node: Json | undefined) => isList(at(node, ['peers'])) && at(node, ['peers', 0]) === undefined;
  const peers = nodes.filter(([other, node]) => links.has(other) && !isAlone(node)).map(([other]) => other);
  return edit(spec, ['chains', chain, 'nodes'], (all) => (isMap(all) ? { ...all, [name]: { peers } } : all));
}

function chainIn(spec: Json, chain: string) {
  const map = at(spec, ['chains', chain, 'nodes']);
  const nodes = isMap(map) ? Object.entries(map) : [];
  const peers = at(spec, ['chains', chain, 'peers']);
  return { nodes, peers: typeof peers === 'string' ? peers : 'mesh', seed: Number(at(spec, ['seed']) ?? 0) };
}

function usage(message: string): Failure {
  return new Failure('usage', `node add: ${message}`, { exit: EXIT.usage, hint: 'nothing was changed' });
}
