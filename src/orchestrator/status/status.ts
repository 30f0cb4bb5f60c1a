import type { Hex } from '../../protocol/types.ts';
import { type ClockState, timeAt } from '../../system/time/clock.ts';
import type { ChainView, NodeView, Plan } from '../plan/plan.ts';
import { withoutKeys } from '../plan/redact.ts';
import type { FailureReport } from '../state/failure-report.ts';
import { type FaultDocument, NO_FAULTS } from '../state/faults.ts';
import type { Problem } from '../state/problem.ts';
import type { DivergenceReport, Phase, Stamps, State, TaskPhase } from '../state/state.ts';
import { type Heads, NO_HEADS } from './heads.ts';

/** Output of `devnet status --json`. Keys are only ever added. */
export interface Status {
  readonly name: string;
  readonly phase: Phase;
  /** Processes that stand still, do not answer or are down, causes first. */
  readonly problems: readonly Problem[];
  /** Reports of divergences since the start; `over` if their nodes agree again. */
  readonly reports: readonly DivergenceReport[];
  /** Faults of links that stand (`devnet fault`). */
  readonly faults: FaultDocument;
  readonly stamps: Stamps;
  readonly folder: string;
  readonly supervisor: number | null;
  readonly startedAt: number;
  /** Milliseconds that the network's clock is ahead of the wall clock now. */
  readonly offsetMs: number;
  /** The network's clock: `at` when the wall clock showed `wall` (Unix ms), since then `rate` times as fast. */
  readonly clock: ClockState;
  readonly endsAt: number | null;
  readonly failure: FailureReport | null;
  /** Address of a dashboard that runs, without its token: that of the spec first. */
  readonly dashboard: string | null;
  /** How the dashboard of the spec ended by itself since the start; null: it did not. */
  readonly dashboardEnd: string | null;
  /** Why traces of blocks are not sent, which does not degrade the network; null: they are, or nowhere is set. */
  readonly traces: Problem | null;
  readonly l1: {
    readonly rpc: string;
    readonly ws: string;
    readonly beacon: string;
    readonly chainId: number;
    readonly phase: TaskPhase;
    readonly version: string | null;
    readonly contracts: Readonly<Record<string, string>>;
  };
  readonly chains: readonly ChainStatus[];
}

interface ChainStatus {
  readonly name: string;
  readonly chainId: number;
  readonly genesisHash: string;
  /** Name → address, of L1 and L2. */
  readonly contracts: { readonly l1: Readonly<Record<string, Hex>>; readonly l2: Readonly<Record<string, Hex>> };
  /** Funded accounts and roles. `devnet accounts` prints their keys. */
  readonly accounts: readonly { readonly address: Hex; readonly role?: string }[];
  /**
   * Fork → Unix seconds; null: the spec says never. 0 or the genesis time: active from genesis.
   * Forks that are not scheduled are absent.
   */
  readonly forks: Readonly<Record<string, number | null>>;
  /** Name of the sequencer that leads; null: the chain has no conductor, or it does not answer or name one. */
  readonly leader: string | null;
  readonly nodes: readonly NodeStatus[];
  readonly batcher: ProcessStatus | null;
  readonly proposer: ProcessStatus | null;
  readonly challenger: ProcessStatus | null;
  readonly signer: ProcessStatus | null;
  readonly daServer: ProcessStatus | null;
  readonly conductor: ProcessStatus | null;
}

interface NodeStatus {
  readonly name: string;
  readonly role: 'sequencer' | 'verifier';
  /** Fork → Unix seconds, null: never. Only forks whose time differs from the chain's. */
  readonly overrides: Readonly<Record<string, number | null>>;
  readonly phase: TaskPhase;
  /** Its own conductor, of a set whose conductors elect the leader; null: it has none. */
  readonly conductor: ProcessStatus | null;
  readonly el: ProcessStatus & {
    readonly client: string;
    readonly http: string;
    readonly ws: string;
    readonly engine: string;
    readonly jwt: string;
  };
  readonly cl: ProcessStatus & {
    readonly client: string;
    readonly rpc: string;
    readonly p2p: string;
    readonly peerId: string;
  };
  readonly heads: Heads;
}

interface ProcessStatus {
  readonly task: string;
  readonly phase: TaskPhase;
  readonly pid: number | null;
  /** Name of its container, if it runs in one. */
  readonly container?: string;
  readonly restarts: number;
  /** Milliseconds by which its clock is ahead of the network's, by `devnet clock skew`. */
  readonly skewMs: number;
  readonly detail: string | null;
  /** Version that its binary reports; null for a program of this package. */
  readonly version: string | null;
  readonly rpc?: string;
  /** Arguments from the spec or from `node restart --arg`; null: removed. */
  readonly args: Readonly<Record<string, string | null>>;
}

/** Combines the plan, the supervisor's state and the answers of the nodes. */
export function statusDocument(
  plan: Plan,
  state: State,
  running: boolean,
  heads: ReadonlyMap<string, Heads>,
  dashboards: readonly string[] = [],
  leaders: ReadonlyMap<string, string> = new Map(),
): Status {
  const now = running ? Date.now() : (state.pausedAt ?? Date.now());
  const statusOf = processStatuses(plan, state, running);
  const dashboardEnd = (running ? state.dashboardEnd : undefined) ?? null;
  const isServed = running && dashboardEnd === null;
  const { l1, chains } = plan.network;
  return {
    name: plan.devnet,
    phase: state.phase,
    problems: state.problems,
    reports: state.reports ?? [],
    faults: (running ? state.faults : undefined) ?? NO_FAULTS,
    stamps: state.stamps,
    folder: plan.home,
    supervisor: running ? state.supervisor.pid : null,
    dashboard: (isServed ? plan.dashboard?.url : undefined) ?? dashboards[0] ?? null,
    dashboardEnd,
    traces: (running ? state.traces : undefined) ?? null,
    startedAt: state.startedAt,
    offsetMs: Math.round(timeAt(state.clock, now) - now),
    clock: state.clock,
    endsAt: state.endsAt ?? null,
    failure: state.failure ?? null,
    l1: {
      rpc: l1.rpc,
      ws: l1.ws,
      beacon: l1.beacon,
      chainId: l1.chainId,
      phase: worse(statusOf('l1').phase, statusOf('l1-beacon').phase),
      version: statusOf('l1').version,
      contracts: l1.contracts,
    },
    chains: chains.map((chain) => ({
      ...chainStatus(chain, statusOf, heads),
      leader: leaders.get(chain.name) ?? null,
    })),
  };
}

/** Returns the state of a process by its task. */
type StatusOf = (task: string) => ProcessStatus;

function processStatuses(plan: Plan, state: State, running: boolean): StatusOf {
  const argsOf = new Map(plan.tasks.map(({ id, given }) => [id, given]));
  return (task) => {
    const last = state.tasks[task];
    const live = running ? last : undefined;
    return {
      task,
      phase: running ? (live?.phase ?? 'waiting') : 'stopped',
      pid: live?.process?.pid ?? null,
      ...(live?.container === undefined ? {} : { container: live.container }),
      restarts: last?.restarts ?? 0,
      skewMs: (running ? state.skews?.[task] : undefined) ?? 0,
      detail: last?.detail ?? null,
      version: last?.version ?? null,
      args: argsOf.get(task) ?? {},
    };
  };
}

function chainStatus(
  chain: ChainView,
  statusOf: StatusOf,
  heads: ReadonlyMap<string, Heads>,
): Omit<ChainStatus, 'leader'> {
  return {
    name: chain.name,
    chainId: chain.chainId,
    genesisHash: chain.genesisHash,
    contracts: chain.contracts,
    accounts: withoutKeys(chain.accounts),
    forks: chain.forks,
    nodes: chain.nodes.map((node) => nodeStatus(node, statusOf, heads.get(`${chain.name}/${node.name}`) ?? NO_HEADS)),
    batcher: posterStatus(chain.batcher, statusOf),
    proposer: posterStatus(chain.proposer, statusOf),
    challenger: posterStatus(chain.challenger, statusOf),
    signer: posterStatus(chain.signer, statusOf),
    daServer: posterStatus(chain.daServer, statusOf),
    conductor: posterStatus(chain.conductor, statusOf),
  };
}

/** Returns the state of a batcher or a proposer; null: the chain has none. */
function posterStatus(poster: ChainView['batcher'], statusOf: StatusOf): ProcessStatus | null {
  return poster ? { ...statusOf(poster.task), ...(poster.rpc ? { rpc: poster.rpc } : {}) } : null;
}

function nodeStatus(node: NodeView, statusOf: StatusOf, heads: Heads): NodeStatus {
  const el = {
    ...statusOf(node.el.task),
    client: node.el.client,
    http: node.el.http,
    ws: node.el.ws,
    engine: node.el.engine,
    jwt: node.el.jwt,
  };
  const cl = {
    ...statusOf(node.cl.task),
    client: node.cl.client,
    rpc: node.cl.rpc,
    p2p: node.cl.p2p,
    peerId: node.cl.peerId,
  };
  return {
    name: node.name,
    role: node.role,
    overrides: node.overrides,
    phase: worse(el.phase, cl.phase),
    el,
    cl,
    conductor: posterStatus(node.conductor, statusOf),
    heads,
  };
}

const ORDER: readonly TaskPhase[] = [
  'failed',
  'blocked',
  'stopped',
  'paused',
  'stopping',
  'restarting',
  'unhealthy',
  'waiting',
  'manual',
  'preparing',
  'starting',
  'ready',
];

/** Returns the worse of two phases, which a user must see first. */
export function worse(a: TaskPhase, b: TaskPhase): TaskPhase {
  return ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b;
}
