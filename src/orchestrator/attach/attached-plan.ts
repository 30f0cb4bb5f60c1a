import { join } from 'node:path';
import { PREDEPLOYS } from '../../protocol/execution/predeploys.ts';
import { scheduleOf } from '../../protocol/forks/index.ts';
import { renderRollupConfig } from '../../protocol/genesis/index.ts';
import { quantity } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { taskIds } from '../plan/lookup.ts';
import type { ChainView, NodeView, Plan, PlannedFile, Probe, Task, TaskKind } from '../plan/plan.ts';
import type { AttachedChain, AttachFile, RemoteNode } from './schema.ts';
import type { ChainFacts, Survey } from './survey.ts';

/** What a plan has beside the network: the folder of all devnets, and names of the package. */
export interface Surroundings {
  readonly home: string;
  readonly image: string;
}

/**
 * Plans an attached network: all its processes are external, so that nothing is launched, written or ended.
 * The supervisor watches it as any other.
 */
export function attachedPlan(file: AttachFile, answers: Survey, { home, image }: Surroundings): Plan {
  const folder = join(home, file.name);
  const { l1 } = answers;
  const chains = Object.entries(file.chains).map(([name, chain]) => chainOf(name, chain, answers, folder));
  const ws = file.l1.ws ?? '';
  return {
    version: 1,
    devnet: file.name,
    home: folder,
    seed: 0,
    genesisTime: Math.min(...Object.values(answers.chains).map(({ config }) => config.genesis.l2_time)),
    time: { clock: 'wall', rate: 1 },
    files: chains.map(({ file }) => file),
    tasks: [...l1Tasks(file, answers, folder), ...chains.flatMap(({ view }) => tasksOf(view, folder))],
    network: {
      l1: {
        chainId: l1.chainId,
        rpc: file.l1.rpc,
        ws,
        direct: { rpc: file.l1.rpc, ws },
        beacon: file.l1.beacon ?? '',
        genesisHash: l1.genesisHash,
        blockTime: l1.blockTime,
        contracts: {},
      },
      chains: chains.map(({ view }) => view),
    },
    image,
    logBytes: 1_000_000,
    notices: [],
  };
}

/** Returns the path of the rollup config of an attached chain. `folder`: of the devnet. */
export function rollupFileOf(folder: string, chain: string): string {
  return join(folder, 'genesis', chain, 'rollup.json');
}

/** A chain in the plan, and the file of its rollup config, which commands read. */
interface PlannedChainView {
  readonly view: ChainView;
  readonly file: PlannedFile;
}

function chainOf(name: string, chain: AttachedChain, answers: Survey, folder: string): PlannedChainView {
  const facts = answers.chains[name];
  if (facts === undefined) throw new Error(`no answers of chain ${name}`);
  const { config, genesisHash } = facts;
  const rollupFile = rollupFileOf(folder, name);
  const poster = (kind: 'batcher' | 'proposer' | 'challenger' | 'conductor') =>
    chain[kind] === undefined ? {} : { [kind]: { task: `${name}/${kind}`, rpc: chain[kind].rpc } };
  const view: ChainView = {
    name,
    chainId: config.l2_chain_id,
    blockTime: config.block_time,
    genesisHash,
    contracts: { l1: contractsOf(chain, facts), l2: { ...PREDEPLOYS } },
    accounts: chain.accounts.map(({ address, privateKey }) => ({
      address,
      ...(privateKey === undefined ? {} : { privateKey }),
    })),
    forks: Object.fromEntries(
      Object.entries(scheduleOf(config)).flatMap(([fork, time]) => (time === undefined ? [] : [[fork, time]])),
    ),
    genesisFile: '',
    rollupFile,
    nodes: Object.entries(chain.nodes).map(([node, each]) => nodeOf(name, node, each, facts)),
    ...poster('batcher'),
    ...poster('proposer'),
    ...poster('challenger'),
    ...poster('conductor'),
  };
  const content = { kind: 'text', text: renderRollupConfig(config) } as const;
  return { view, file: { path: rollupFile, mode: 0o644, secret: false, content } };
}

function contractsOf({ contracts }: AttachedChain, { config }: ChainFacts): Readonly<Record<string, Hex>> {
  return {
    OptimismPortal: config.deposit_contract_address,
    SystemConfig: config.l1_system_config_address,
    ...contracts,
  };
}

function nodeOf(chain: string, name: string, { role, el, cl }: RemoteNode, facts: ChainFacts): NodeView {
  const ids = taskIds(chain, name);
  const implementation = nameIn(facts.versions[name]?.el);
  // An unnamed rollup node does not count as one more implementation.
  const rollupNode = nameIn(facts.versions[name]?.cl);
  return {
    name,
    role,
    el: { task: ids.el, client: implementation, implementation, http: el.http, ws: el.ws ?? '', engine: '', jwt: '' },
    cl: {
      task: ids.cl,
      client: rollupNode,
      implementation: rollupNode === UNNAMED ? implementation : rollupNode,
      rpc: cl.rpc,
      p2p: cl.p2p ?? '',
      peerId: '',
    },
    gossip: true,
    overrides: {},
  };
}

/** Client of a program that does not say its name. */
const UNNAMED = 'external';

/** Returns the name of a program in what it calls itself: `reth/v1.9.0-…`. A version alone names none. */
function nameIn(version: string | undefined): string {
  return /^[a-z][a-z-]+(?=[/ ])/i.exec(version ?? '')?.[0].toLowerCase() ?? UNNAMED;
}

function l1Tasks({ l1 }: AttachFile, answers: Survey, folder: string): readonly Task[] {
  const chainId = quantity(answers.l1.chainId);
  const probe = rpcProbe(l1.rpc, 'eth_chainId', { '': chainId }, 'is the L1 of this network');
  const beacon: readonly Probe[] =
    l1.beacon === undefined
      ? []
      : [{ kind: 'http', url: `${l1.beacon}/eth/v1/node/version`, status: 200, expect: {}, description: 'answers' }];
  return [task('l1', 'l1', [probe], folder), task('l1-beacon', 'beacon', beacon, folder)];
}

function tasksOf(
  { name, genesisHash, nodes, batcher, proposer, challenger, conductor }: ChainView,
  folder: string,
): readonly Task[] {
  const ofNodes = nodes.flatMap(({ name: node, el, cl }) => [
    {
      ...task(
        el.task,
        'el',
        [rpcProbe(el.http, 'eth_getBlockByNumber', { hash: genesisHash }, HAS_GENESIS, ['0x0', false])],
        folder,
      ),
      chain: name,
      node,
    },
    {
      ...task(
        cl.task,
        'cl',
        [rpcProbe(cl.rpc, 'optimism_rollupConfig', { 'genesis.l2.hash': genesisHash }, FOLLOWS)],
        folder,
      ),
      chain: name,
      node,
    },
  ]);
  const posters = (
    [
      [batcher, 'batcher'],
      [proposer, 'proposer'],
      [challenger, 'challenger'],
      [conductor, 'conductor'],
    ] as const
  ).flatMap(([poster, kind]) =>
    poster?.rpc === undefined
      ? []
      : [{ ...task(poster.task, kind, [rpcProbe(poster.rpc, 'health_status', {}, 'answers')], folder), chain: name }],
  );
  return [...ofNodes, ...posters];
}

const HAS_GENESIS = 'has the genesis block of this chain';
const FOLLOWS = 'follows this chain';

function rpcProbe(
  url: string,
  method: string,
  expect: Readonly<Record<string, string>>,
  description: string,
  params: readonly unknown[] = [],
): Probe {
  return { kind: 'rpc', url, method, params, expect, description };
}

function task(id: string, kind: TaskKind, probes: readonly Probe[], folder: string): Task {
  const cwd = join(folder, 'nodes', id);
  return {
    id,
    kind,
    client: 'external',
    launch: 'external',
    clock: 'wall',
    prepare: [],
    command: { argv: [], cwd, env: {} },
    secrets: [],
    needs: [],
    reads: [],
    ports: [],
    ready: probes,
    live: probes,
    stop: { signal: 'SIGTERM', graceMs: 0 },
    onExit: 'ignore',
    log: `${cwd}.log`,
    lifeline: false,
  };
}
