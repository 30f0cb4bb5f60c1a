import { randomInt } from 'node:crypto';
import { stringify } from 'yaml';
import { homeOf } from '../folder/home.ts';
import { loadSpec } from '../load/load-spec.ts';
import type { LoadedSpec } from '../load/loaded-spec.ts';
import { planInputs } from '../load/plan-inputs.ts';
import { chainGenesis } from '../plan/chain/chain-genesis.ts';
import type { PlannedChain } from '../plan/chain/planned-chain.ts';
import type { PlanContext } from '../plan/context.ts';
import { filesInOrder, tasksInOrder } from '../plan/order.ts';
import type { Plan, PlannedFile, Task } from '../plan/plan.ts';
import { type PortRequest, portRequests } from '../plan/ports.ts';
import { addressesOf, HOST } from '../plan/reach.ts';
import { type ChainParts, planChain } from '../plan/tasks/chain.ts';
import { l1ConfigFile } from '../plan/tasks/l1.ts';
import { networkValues } from '../plan/tasks/values.ts';
import { type Json, mapValues } from '../spec/schema/json.ts';
import type { ChainSpec, Spec } from '../spec/schema/types.ts';
import type { Io } from '../terminal/io.ts';
import { type ChainFiles, chainFilesOf } from './chain-files.ts';
import type { AttachedChain, AttachFile } from './schema.ts';
import type { Survey } from './survey.ts';

/** Nodes of this machine that join a network which runs elsewhere, before they have ports. */
export interface Joining {
  readonly answers: Survey;
  /** The network as a spec whose chains are those of files. The addresses of its other nodes are left out. */
  readonly loaded: LoadedSpec;
  /** Genesis files that this machine writes. */
  readonly files: readonly PlannedFile[];
  /** Ports of the processes that join. */
  readonly requests: readonly PortRequest[];
}

/** Place of L1 in the ports of a spec. Its URL is that of the network. */
const NO_PLACE = { host: HOST, port: 1024 };

/**
 * Loads the clients of the nodes that join a network, and the genesis of its chains. Undefined: no node joins.
 * @throws Failure `spec` for a fault of a node; `attach` if a genesis is not that of the chain
 */
export async function prepareJoin(io: Io, file: AttachFile, answers: Survey): Promise<Joining | undefined> {
  const joined = Object.entries(file.chains).filter(([, { joins }]) => Object.keys(joins).length > 0);
  if (joined.length === 0) return undefined;
  const text = stringify(documentOf(file, answers, joined), { lineWidth: 0 });
  const source = { name: `${file.path}, its nodes that join`, text };
  const loaded = await loadSpec(io, { spec: { source, name: file.name }, set: [], manual: [] });
  const chains = await chainFilesOf(io, file, answers);
  const spec = {
    ...loaded.spec,
    chains: mapValues(loaded.spec.chains, (chain, name) => withFiles(chain, chains[name])),
  };
  return {
    answers,
    loaded: { ...loaded, spec, files: { ...loaded.files, ...specFilesOf(Object.values(chains), answers) } },
    files: Object.values(chains).flatMap(({ genesisFile }) => genesisFile ?? []),
    requests: portRequests(reachedBy(spec, file), loaded.clients, NO_PLACE).filter(({ task }) =>
      isOfChain(task, joined),
    ),
  };
}

function isOfChain(task: string, chains: readonly (readonly [string, AttachedChain])[]): boolean {
  return chains.some(([name]) => task.startsWith(`${name}/`));
}

/** Returns the network as a document of a spec. Each machine that joins has keys of its own. */
function documentOf(
  { name, l1 }: AttachFile,
  answers: Survey,
  joined: readonly (readonly [string, AttachedChain])[],
): Json {
  const chains = joined.map(([chain, { nodes, joins }]) => {
    const all = { ...mapValues(nodes, ({ role }): Json => ({ role })), ...joins };
    const blockTime = answers.chains[chain]?.config.block_time ?? null;
    return [chain, { blockTime, accounts: { count: 0 }, batcher: false, proposer: false, nodes: all }] as const;
  });
  const { chainId } = answers.l1;
  // Its blocks are timed. Those of its rollups have a fixed time, which is never longer.
  const blockTime = Math.max(answers.l1.blockTime, ...chains.map(([, chain]) => chain.blockTime ?? 0));
  return {
    name,
    seed: randomInt(2 ** 47),
    l1: { chainId, blockTime, hardfork: l1.hardfork },
    chains: Object.fromEntries(chains),
  };
}

/** Returns a chain of the spec as that of its files. */
function withFiles(spec: ChainSpec, files: ChainFiles | undefined): ChainSpec {
  return { ...spec, from: files === undefined ? null : { genesis: files.genesis, rollup: files.rollup } };
}

/** Returns a spec with the addresses by which this machine reaches the network. */
function reachedBy(spec: Spec, { chains }: AttachFile): Spec {
  return { ...spec, chains: mapValues(spec.chains, (chain, name) => withAddresses(chain, chains[name])) };
}

/** Returns a chain of the spec with the addresses of its external nodes. No process here calls their Engine API. */
function withAddresses(spec: ChainSpec, chain: AttachedChain | undefined): ChainSpec {
  return {
    ...spec,
    nodes: mapValues(spec.nodes, (node, name) => {
      const remote = chain?.nodes[name];
      if (remote === undefined) return node;
      return {
        ...node,
        el: { ...node.el, external: { ...remote.el, engine: remote.el.http, jwt: '' } },
        cl: { ...node.cl, external: remote.cl },
      };
    }),
  };
}

function specFilesOf(all: readonly ChainFiles[], { chains }: Survey) {
  return {
    rollupConfigs: Object.fromEntries(
      all.flatMap(({ chain, rollup }) => (chains[chain] === undefined ? [] : [[rollup, chains[chain].config]])),
    ),
    genesisConfigs: Object.fromEntries(all.map(({ genesis, config }) => [genesis, config])),
    genesisFunds: Object.fromEntries(all.map(({ genesis, funds }) => [genesis, funds])),
  };
}

/**
 * Adds the nodes that join to the plan of an attached network. `ports`: those of `requests`.
 * `file`: the network with the addresses by which it is reached from then on.
 */
export function joinedNodes(
  io: Io,
  plan: Plan,
  { answers, loaded, files: genesisFiles }: Joining,
  file: AttachFile,
  ports: Readonly<Record<string, number>>,
): Plan {
  const { clients } = loaded;
  const spec = reachedBy(loaded.spec, file);
  const inputs = planInputs(io, { ...loaded, spec }, homeOf(io), { hiddenHost: HOST, ports }, Date.now() / 1000);
  const addresses = addressesOf(spec, clients, inputs);
  const l1Urls = [
    ['l1:rpc', file.l1.rpc],
    ['l1-beacon:http', file.l1.beacon ?? ''],
  ] as const;
  const context: PlanContext = {
    ...{ spec, clients, inputs, genesisTime: plan.genesisTime },
    addresses: { ...addresses, external: new Map([...addresses.external, ...l1Urls]) },
  };
  const chains = Object.keys(spec.chains).map((name) => chainGenesis(name, context));
  const l1 = l1Of(context, chains, file, answers);
  const joined = chains.map((chain) => joinedParts(planChain(chain, context, l1), file, genesisFiles));
  const files = filesInOrder([...plan.files, ...genesisFiles, ...l1.shared, ...joined.flatMap((part) => part.files)]);
  return {
    ...plan,
    files,
    tasks: [...plan.tasks, ...tasksOf(plan, joined, files)],
    network: {
      ...plan.network,
      chains: plan.network.chains.map((chain) => {
        const nodes = joined.find(({ view }) => view.name === chain.name)?.view.nodes ?? [];
        return { ...chain, nodes: [...chain.nodes, ...nodes] };
      }),
    },
    notices: [...plan.notices, ...joined.flatMap(({ notices }) => notices)],
  };
}

/** Returns the tasks that join in the order of their start. */
function tasksOf(plan: Plan, joined: readonly ChainParts[], files: readonly PlannedFile[]): Plan['tasks'] {
  const all = [...plan.tasks, ...joined.flatMap(({ tasks }) => tasks)];
  return tasksInOrder(all, files).filter(({ launch }) => launch !== 'external');
}

/** What the templates of an L1 that runs elsewhere decide: nothing. */
const NO_ENGINE = { hasEngine: false, jwt: undefined, keys: undefined, consensus: undefined } as const;

function l1Of(context: PlanContext, chains: readonly PlannedChain[], { l1 }: AttachFile, answers: Survey) {
  const hash = answers.l1.genesisHash;
  const values = (from: string) => ({
    ...networkValues(context, { l1: { hash }, chains }, NO_ENGINE, from),
    'l1.ws': l1.ws ?? l1.rpc,
  });
  return { values, shared: [l1ConfigFile(context.spec, values('l1'))] };
}

/** Keeps what a chain's own nodes have no part in. */
function joinedParts(parts: ChainParts, { chains }: AttachFile, genesisFiles: readonly PlannedFile[]): ChainParts {
  const joins = chains[parts.view.name]?.joins ?? {};
  return {
    ...parts,
    tasks: parts.tasks
      .filter(({ node }) => node !== undefined && Object.hasOwn(joins, node))
      .map((task) => readingGenesis(task, genesisFiles)),
    view: { ...parts.view, nodes: parts.view.nodes.filter(({ name }) => Object.hasOwn(joins, name)) },
  };
}

/** Adds the genesis files that a task reads. Its chain takes them for files of the user, which are there at once. */
function readingGenesis(task: Task, genesisFiles: readonly PlannedFile[]): Task {
  const words = [...task.prepare, task.command].flatMap(({ argv }) => argv);
  const paths = genesisFiles.map(({ path }) => path).filter((path) => words.some((word) => word.includes(path)));
  const { resume } = task;
  return {
    ...task,
    reads: [...task.reads, ...paths],
    ...(resume !== undefined && { resume: { ...resume, reads: [...resume.reads, ...paths] } }),
  };
}
