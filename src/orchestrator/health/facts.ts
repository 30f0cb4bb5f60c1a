import type { ChainView, Plan } from '../plan/plan.ts';
import { followingHeads } from './following-heads.ts';
import type { GaugeSpec } from './gauge/gauge.ts';
import { BEACON, chainGauges, L1, L1_HEAD, l1Gauges } from './gauges.ts';
import type { FollowingHead } from './lag-watch.ts';
import type { OutputHead } from './output-lag.ts';

/** Request that reads the state of a task. `probes`: only the probes of its template. */
export type SourceKind = 'l1' | 'beacon' | 'el' | 'cl' | 'probes';

export interface Source {
  readonly task: string;
  readonly kind: SourceKind;
  readonly url: string;
}

/** An account whose transactions on L1 show that a task works. */
export interface Poster {
  readonly task: string;
  readonly address: string;
}

/** A contract on L1 that holds the outputs of a proposer. */
export interface OutputContract {
  /** Id of the value that is read. */
  readonly id: string;
  readonly system: 'output-oracle' | 'dispute-games';
  readonly address: string;
}

/** A head whose blocks follow the network's clock. */
export interface ClockHead {
  readonly gauge: string;
  /** Milliseconds of the network's clock between two blocks. */
  readonly blockMs: number;
  /** Wall time (ms) between two blocks. */
  readonly interval: number;
  /** Milliseconds of the network's clock that one of wall time counts for; at least 1. */
  readonly rate: number;
  /** Longest move (ms) of the network's clock at once. Blocks are behind by that much for a moment. */
  readonly move: number;
  /** Whether it must not be ahead of the clock either: the L1 that l1-beacon drives. */
  readonly notAhead: boolean;
}

/** The heads and counters of a network, their intervals and dependencies. */
export interface HealthFacts {
  readonly sources: readonly Source[];
  readonly posters: readonly Poster[];
  readonly gauges: readonly GaugeSpec[];
  readonly clockHeads: readonly ClockHead[];
  readonly outputContracts: readonly OutputContract[];
  readonly outputHeads: readonly OutputHead[];
  readonly followingHeads: readonly FollowingHead[];
  /** Tasks that can explain why a task is silent or down. */
  readonly taskCauses: Readonly<Record<string, readonly string[]>>;
}

export const DISK = 'disk';

/** Derives from a plan what the health watch observes. */
export function healthFacts(plan: Plan): HealthFacts {
  const { l1, chains } = plan.network;
  const l1Ms = l1.blockTime * 1000;
  const ids = new Set(plan.tasks.map(({ id }) => id));
  const endpoints = [
    { task: L1, kind: 'l1' as const, url: l1.direct.rpc },
    { task: BEACON, kind: 'beacon' as const, url: l1.beacon },
    ...chains.flatMap(({ nodes }) =>
      nodes.flatMap(({ el, cl }) => [
        { task: el.task, kind: 'el' as const, url: el.http },
        { task: cl.task, kind: 'cl' as const, url: cl.rpc },
      ]),
    ),
  ].filter(({ task }) => ids.has(task));
  const pace = { rate: plan.time.clock === 'stepped' ? 1 : Math.max(1, plan.time.rate), move: longestMove(plan) };
  const followsClock = (task: string) => plan.tasks.find(({ id }) => id === task)?.clock === 'network';
  const endpointTasks = new Set(endpoints.map(({ task }) => task));
  return {
    sources: [
      ...endpoints,
      ...plan.tasks.flatMap(({ id }): readonly Source[] =>
        endpointTasks.has(id) ? [] : [{ task: id, kind: 'probes', url: '' }],
      ),
    ],
    posters: chains.flatMap(postersOf),
    gauges: [
      ...l1Gauges(l1Ms).filter(({ subject }) => endpointTasks.has(subject)),
      ...chains.flatMap((chain) => chainGauges(plan, chain)),
    ].map((gauge) => ({ ...gauge, interval: wallMs(plan, gauge.interval) })),
    clockHeads: [
      ...(followsClock(BEACON)
        ? [{ gauge: L1_HEAD, blockMs: l1Ms, interval: wallMs(plan, l1Ms), ...pace, notAhead: true }]
        : []),
      ...chains.flatMap(({ nodes, blockTime }) =>
        nodes
          .filter(({ role, cl }) => role === 'sequencer' && followsClock(cl.task))
          .map(({ cl }) => ({
            gauge: `${cl.task} unsafe`,
            blockMs: blockTime * 1000,
            interval: wallMs(plan, blockTime * 1000),
            ...pace,
            notAhead: false,
          })),
      ),
    ],
    outputContracts: chains.flatMap(outputContractsOf),
    outputHeads: chains.flatMap((chain) => outputHeadsOf(plan, chain)),
    followingHeads: followingHeads(plan, L1_HEAD),
    taskCauses: Object.fromEntries(plan.tasks.map(({ id, needs }) => [id, [DISK, ...needs.map(({ task }) => task)]])),
  };
}

/** Converts milliseconds of the network's clock to wall time. A faster clock keeps the limits of the usual pace. */
function wallMs({ time }: Plan, ms: number): number {
  return time.clock === 'stepped' ? ms : ms / Math.min(1, time.rate);
}

/** Returns the longest time (ms) by which transactions move the clock at once: to the next block of any chain. */
function longestMove({ time, network }: Plan): number {
  if (time.clock !== 'instant') return 0;
  return Math.max(network.l1.blockTime, ...network.chains.map(({ blockTime }) => blockTime)) * 1000;
}

function postersOf({ accounts, batcher, proposer }: ChainView): Poster[] {
  const posters = [
    { service: batcher, role: 'batcher' },
    { service: proposer, role: 'proposer' },
  ];
  return posters.flatMap(({ service, role }) => {
    const account = accounts.find((each) => each.role === role);
    return service === undefined || account === undefined ? [] : [{ task: service.task, address: account.address }];
  });
}

const outputsOf = (task: string) => `${task} outputs`;

function outputContractsOf({ proposer, contracts: { l1 } }: ChainView): OutputContract[] {
  if (proposer === undefined) return [];
  const { DisputeGameFactory: factory, L2OutputOracle: oracle } = l1;
  const id = outputsOf(proposer.task);
  if (factory !== undefined) return [{ id, system: 'dispute-games', address: factory }];
  return oracle === undefined ? [] : [{ id, system: 'output-oracle', address: oracle }];
}

/** L1 blocks from a safe block to its output: batch, derivation, inclusion, and one that is late. */
const OUTPUT_L1_BLOCKS = 4;
/** Time (ms) that two answers of a round may be apart. */
const MAX_SKEW_MS = 5000;

function outputHeadsOf(plan: Plan, chain: ChainView): OutputHead[] {
  const { proposer, blockTime } = chain;
  const posts = proposer && chainGauges(plan, chain).find(({ subject }) => subject === proposer.task);
  if (posts?.after === undefined) return [];
  const { interval, subject, after: follows, causes } = posts;
  const behindMs =
    interval + OUTPUT_L1_BLOCKS * plan.network.l1.blockTime * 1000 + MAX_SKEW_MS * Math.max(1, plan.time.rate);
  const allowed = Math.ceil(behindMs / (blockTime * 1000));
  return [{ id: outputsOf(subject), subject, follows, allowed, interval: wallMs(plan, interval), causes }];
}
