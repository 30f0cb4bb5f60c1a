import type { ForkName } from '../../protocol/forks/index.ts';
import type { Hex } from '../../protocol/types.ts';
import type { ClientFacts } from './client.ts';
import { FORK_NAMES } from './forks.ts';
import type {
  Argument,
  BatcherSpec,
  ChainSpec,
  ClSpec,
  ElSpec,
  ForksSpec,
  L1Spec,
  NodeSpec,
  OnExit,
  PortPolicy,
  ProcessSpec,
  ProposerSpec,
  Spec,
  SystemConfigSpec,
} from './spec.ts';
import { type Path, plain, type Tree } from './tree.ts';
import { type ForkTime, parseBytes, parseForkTime, parseWei } from './values.ts';

/** A resolved spec, and where each node of it stands in the text. */
export interface Resolved {
  readonly spec: Spec;
  /** Path of a node, the same one for all that a `count` made. */
  nodePath(chain: string, node: string): Path;
  /** Names that a `count` made twice or that stand twice. */
  readonly repeated: readonly { readonly chain: string; readonly node: string; readonly path: Path }[];
}

/** Values of a checked document. */
type Values = Readonly<Record<string, unknown>>;

/** The typed spec of a tree whose shape is right and whose defaults are filled in. */
export function resolveSpec(tree: Tree, name: string, clientOf: (client: string) => ClientFacts | undefined): Resolved {
  const input = plain(tree) as Values;
  const paths = new Map<string, Path>();
  const repeated: { chain: string; node: string; path: Path }[] = [];
  const process = (value: unknown) => processOf(value as Values, clientOf);

  const nodesOf = (chain: string, nodes: Values): Record<string, NodeSpec> => {
    const expanded: [string, Values][] = [];
    for (const [own, value] of Object.entries(nodes)) {
      const node = value as Values;
      const count = node['count'] as number | undefined;
      const names = count === undefined ? [own] : Array.from({ length: count }, (_, index) => `${own}-${index + 1}`);
      for (const each of names) {
        const path: Path = ['chains', chain, 'nodes', own];
        if (expanded.some(([other]) => other === each)) repeated.push({ chain, node: each, path });
        else paths.set(`${chain}/${each}`, path);
        expanded.push([each, node]);
      }
    }
    const all = [...new Set(expanded.map(([each]) => each))];
    const given = new Map(expanded.map(([each, node]) => [each, node['peers'] as string[] | undefined]));
    // A node that names its peers is dialled by those alone, and by nodes that name it.
    const wants = (other: string, own: string) => given.get(other)?.includes(own) ?? true;
    return Object.fromEntries(
      expanded.map(([each, node]): [string, NodeSpec] => [
        each,
        {
          role: (node['role'] as NodeSpec['role'] | undefined) ?? 'verifier',
          el: withExternal(process(node['el'] ?? {}), node['el']) as ElSpec,
          cl: withExternal(process(node['cl'] ?? {}), node['cl']) as ClSpec,
          override: forkTimes((node['override'] ?? {}) as Values),
          peers: given.get(each) ?? all.filter((other) => other !== each && wants(other, each)),
        },
      ]),
    );
  };

  const chains = Object.entries((input['chains'] ?? {}) as Values).map(([chain, value]): [string, ChainSpec] => {
    const given = value as Values;
    return [chain, { ...chainOf(given, process), nodes: nodesOf(chain, (given['nodes'] ?? {}) as Values) }];
  });
  const spec: Spec = {
    version: 1,
    name: (input['name'] as string | undefined) ?? name,
    seed: (input['seed'] as number | undefined) ?? 0,
    ports: (input['ports'] as PortPolicy | undefined) ?? 'preferred',
    time: { genesis: ((input['time'] as Values | undefined)?.['genesis'] as 'now' | number | undefined) ?? 'now' },
    logs: { size: parseBytes((input['logs'] as Values | undefined)?.['size']) ?? 50e6 },
    l1: l1Of((input['l1'] ?? {}) as Values, process),
    chains: Object.fromEntries(chains),
  };
  return {
    spec,
    repeated,
    nodePath: (chain, node) => paths.get(`${chain}/${node}`) ?? ['chains', chain, 'nodes', node],
  };
}

function l1Of(l1: Values, process: (value: unknown) => ProcessSpec): L1Spec {
  return {
    ...process(l1),
    chainId: l1['chainId'] as number,
    blockTime: l1['blockTime'] as number,
    hardfork: (l1['hardfork'] as L1Spec['hardfork'] | undefined) ?? 'prague',
    finality: (l1['finality'] as L1Spec['finality'] | undefined) ?? 'devnet',
    onExit: (l1['onExit'] as OnExit | undefined) ?? 'fail',
    alloc: (l1['alloc'] as string | undefined) ?? null,
    beacon: process(l1['beacon'] ?? {}),
  };
}

function chainOf(chain: Values, process: (value: unknown) => ProcessSpec): Omit<ChainSpec, 'nodes'> {
  const accounts = (chain['accounts'] ?? {}) as Values;
  const batcher = chain['batcher'] as Values | false | undefined;
  const proposer = chain['proposer'] as Values | false | undefined;
  return {
    chainId: chain['chainId'] as number,
    blockTime: chain['blockTime'] as number,
    gasLimit: chain['gasLimit'] as number,
    accounts: {
      count: (accounts['count'] as number | undefined) ?? 0,
      balance: String(parseWei(accounts['balance']) ?? 0n),
      mnemonic: (accounts['mnemonic'] as string | undefined)?.trim().replace(/\s+/g, ' ') ?? null,
      addresses: ((accounts['addresses'] as Hex[] | undefined) ?? []).map((each) => each.toLowerCase() as Hex),
    },
    forks: forksOf((chain['forks'] ?? {}) as Values),
    bundles: (chain['bundles'] ?? {}) as ChainSpec['bundles'],
    systemConfig: chain['systemConfig'] as SystemConfigSpec,
    batcher: batcher ? ({ ...process(batcher), da: batcher['da'] ?? 'calldata' } as BatcherSpec) : null,
    proposer: proposer ? proposerOf(proposer, process) : null,
    onExit: (chain['onExit'] as OnExit | undefined) ?? 'fail',
    alloc: (chain['alloc'] as string | undefined) ?? null,
    from: (chain['from'] as ChainSpec['from'] | undefined) ?? null,
  };
}

function proposerOf(proposer: Values, process: (value: unknown) => ProcessSpec): ProposerSpec {
  const { system, interval, finalization, gameClock, gameFinality } = proposer as unknown as ProposerSpec;
  return { ...process(proposer), system, interval, finalization, gameClock, gameFinality };
}

function forksOf({ base, ...times }: Values): ForksSpec {
  return { base: base as ForkName, times: forkTimes(times) };
}

function forkTimes(times: Values): Readonly<Partial<Record<ForkName, ForkTime>>> {
  return Object.fromEntries(
    FORK_NAMES.flatMap((name) => {
      const time = parseForkTime(times[name]);
      return time === undefined ? [] : [[name, time]];
    }),
  );
}

function processOf(value: Values, clientOf: (client: string) => ClientFacts | undefined): ProcessSpec {
  const client = value['client'] as string;
  const binary = value['binary'] as string | undefined;
  const runtimes = clientOf(client)?.runtimes ?? [];
  const fallback = binary === undefined && runtimes.includes('embedded') ? 'embedded' : 'process';
  return {
    client,
    runtime: (value['runtime'] as ProcessSpec['runtime'] | undefined) ?? fallback,
    ...(binary === undefined ? {} : { binary }),
    launch: (value['launch'] as ProcessSpec['launch'] | undefined) ?? 'spawn',
    args: (value['args'] ?? {}) as Readonly<Record<string, Argument>>,
    env: Object.fromEntries(
      Object.entries((value['env'] ?? {}) as Values).map(([key, text]) => [key, text === null ? null : String(text)]),
    ),
    ports: (value['ports'] ?? {}) as Readonly<Record<string, number>>,
    omit: (value['omit'] ?? {}) as ProcessSpec['omit'],
  };
}

function withExternal(process: ProcessSpec, value: unknown): ProcessSpec {
  const external = (value as Values | undefined)?.['external'];
  return external === undefined ? process : ({ ...process, external } as ProcessSpec);
}
