import type { IdleReport } from '../../system/channel/messages.ts';
import type { QuiesceService } from '../channel/channel-server.ts';
import type { Plan, TaskKind } from '../plan/plan.ts';
import type { LiveTask } from '../processes/live-task.ts';

/** Links that a process lacks by a fault. */
export type Severed = 'peers' | 'more';

/** A process that follows the network's clock and is up. */
export interface Follower {
  readonly task: string;
  readonly kind: TaskKind;
  readonly chain: string | undefined;
  readonly isSequencer: boolean;
  /** Links of it that a fault has cut: those to its peers, or others as well. */
  readonly severed?: Severed | undefined;
  /** Undefined before its first report, or while it is not connected. */
  readonly report: IdleReport | undefined;
}

/** A process that is not done with a step, and what it lacks. */
export interface Awaited {
  readonly task: string;
  readonly what: string;
}

/**
 * Order in which the kinds of processes get a step if equal runs must make equal blocks: L1's block first, then
 * blocks of L2, then their batches.
 */
export const TURNS: readonly (readonly TaskKind[])[] = [['beacon'], ['cl'], ['batcher'], ['proposer'], ['challenger']];

/** Heads of L1 and of the chains' sequencers. */
export interface Heads {
  /** Undefined: l1-beacon has not reported it. */
  readonly l1: string | null | undefined;
  readonly unsafe: ReadonlyMap<string | undefined, string | null>;
}

/** Returns the heads that the processes have reported. */
export function reportedHeads(followers: readonly Follower[]): Heads {
  const beacon = followers.find(({ kind }) => kind === 'beacon')?.report?.progress;
  return {
    l1: beacon?.kind === 'beacon' ? beacon.l1 : undefined,
    unsafe: new Map(
      [...Map.groupBy(followers, ({ chain }) => chain)].flatMap(([chain, each]) => {
        const head = leadingHead(each);
        return head === undefined ? [] : [[chain, head.unsafe] as const];
      }),
    ),
  };
}

/** Returns the highest of the heads that the sequencers of a chain have reported: of a set, one leads. */
function leadingHead(followers: readonly Follower[]) {
  const heads = followers.flatMap(({ isSequencer, report }) =>
    isSequencer && report?.progress.kind === 'rollup' ? [report.progress] : [],
  );
  return heads.toSorted((one, other) => (other.number ?? -1) - (one.number ?? -1))[0];
}

export interface Allowances {
  /** Verifiers that cannot get their sequencer's unsafe head by gossip. */
  readonly apart?: ReadonlySet<string>;
  /** Heads of the step before: verifiers and proposers may still be at that step. Absent: all must be at this one. */
  readonly before?: Heads | undefined;
}

/**
 * Lists the processes of some kinds that are not done with a step.
 * l1-beacon has made L1's block. Every rollup node knows it and has derived all of L1, and a sequencer has no block
 * left to make. A verifier has its sequencer's unsafe head. Batcher, proposer and challenger have nothing left to send.
 */
export function listUnsettled(
  followers: readonly Follower[],
  kinds: readonly TaskKind[],
  step: number,
  { apart, before }: Allowances = {},
): readonly Awaited[] {
  const now = reportedHeads(followers);
  return followers
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((follower) => {
      const { kind, isSequencer, task, severed } = follower;
      const mayLag =
        before !== undefined && (kind === 'proposer' || kind === 'challenger' || (kind === 'cl' && !isSequencer));
      const heads = mayLag ? [now, before] : [now];
      const what = lacks(follower, mayLag ? step - 1 : step, heads, severed !== undefined || apart?.has(task) === true);
      return what === undefined ? [] : [{ task, what }];
    });
}

/** `heads`: the process has to know those of one of them. */
function lacks({ kind, chain, report }: Follower, step: number, heads: readonly Heads[], isApart: boolean) {
  if (report === undefined) return 'has not reported';
  if (report.step < step) return 'is busy';
  if (kind !== 'cl') return undefined;
  const { progress } = report;
  if (progress.kind !== 'rollup') return 'has not reported';
  if (!heads.some(({ l1 }) => l1 === undefined || progress.l1 === l1)) return "does not know L1's newest block";
  if (!progress.derived) return 'derives';
  if (!isApart && !heads.some(({ unsafe }) => (unsafe.get(chain) ?? progress.unsafe) === progress.unsafe))
    return GOSSIP;
  return undefined;
}

/** What a verifier lacks that gossip has not reached. */
export const GOSSIP = "does not have the sequencer's newest block";

/** The processes of a network that follow its clock. */
export interface Followers {
  /** Those that are up, with what they last reported. */
  all(): readonly Follower[];
  /** Returns the kind of a task, also of one that is not up. */
  kindOf(task: string): TaskKind | undefined;
  /** Whether a process makes blocks of L1. */
  hasL1(): boolean;
  /** Whether a node has no block yet that its sequencer has. Without gossip it needs a batch on L1. */
  lacksFirstBlock(): boolean;
  /** Newest block of L1 and of each chain's sequencer, in the order of the plan. */
  blocks(): Readonly<Record<string, number>>;
}

/** Creates the view of the processes that follow the clock. */
export function clockFollowers(
  plan: () => Plan,
  tasks: ReadonlyMap<string, LiveTask>,
  quiesce: Pick<QuiesceService, 'reports'>,
  severed: (task: string) => Severed | undefined = () => undefined,
): Followers {
  function all(): readonly Follower[] {
    const sequencers = new Set(
      plan().network.chains.flatMap(({ nodes }) =>
        nodes.flatMap((node) => (node.role === 'sequencer' ? node.cl.task : [])),
      ),
    );
    const reports = quiesce.reports();
    const unsigned = chainsWithoutSigner();
    return [...tasks.values()]
      .filter((live) => live.task.clock === 'network' && takesPart(live))
      .map(({ task: { id, kind, chain } }) => ({
        task: id,
        kind,
        chain,
        isSequencer: sequencers.has(id),
        // Without its signer a sequencer gossips nothing.
        severed: severed(id) ?? (kind === 'cl' && unsigned.has(chain) && !sequencers.has(id) ? 'peers' : undefined),
        report: reports.get(id),
      }));
  }

  /** Returns the chains whose signer is planned and not up. */
  function chainsWithoutSigner(): ReadonlySet<string | undefined> {
    const { chains } = plan().network;
    const isUp = (task: string) => ['ready', 'unhealthy'].includes(tasks.get(task)?.phase ?? '');
    return new Set(chains.flatMap(({ name, signer }) => (signer === undefined || isUp(signer.task) ? [] : [name])));
  }

  /** Whether a process is up, and what it depends on in its node too. */
  function takesPart(live: LiveTask): boolean {
    // A sequencer makes blocks without its signer.
    const others = live.task.needs.flatMap(({ task }) => tasks.get(task) ?? []);
    const needs = [live, ...others.filter(({ task }) => task.kind !== 'signer')];
    return needs.every(({ phase }) => phase === 'ready' || phase === 'unhealthy');
  }

  return {
    all,
    kindOf: (task) => tasks.get(task)?.task.kind,
    hasL1: () => all().some(({ kind }) => kind === 'beacon'),
    lacksFirstBlock() {
      const posted = new Set(plan().network.chains.flatMap(({ name, batcher }) => (batcher ? [name] : [])));
      return all().some(
        ({ chain = '', report }) =>
          report?.progress.kind === 'rollup' && posted.has(chain) && report.progress.number === 0,
      );
    },
    blocks() {
      const followers = all();
      const inChain = (name: string | undefined) => followers.filter(({ chain }) => chain === name);
      const newest = new Map(
        followers.flatMap(({ chain, isSequencer, report }): readonly (readonly [string, number])[] => {
          const progress = report?.progress;
          if (progress === undefined || progress.kind === 'poster' || progress.number === null) return [];
          if (progress.kind === 'beacon') return [['l1', progress.number]];
          return isSequencer ? [[chain ?? '', leadingHead(inChain(chain))?.number ?? progress.number]] : [];
        }),
      );
      const names = ['l1', ...plan().network.chains.map(({ name }) => name)];
      return Object.fromEntries(
        names.flatMap((name) => {
          const number = newest.get(name);
          return number === undefined ? [] : [[name, number] as const];
        }),
      );
    },
  };
}
