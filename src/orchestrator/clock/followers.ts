import type { QuiesceService } from '../channel/quiesce-service.ts';
import type { Plan, TaskKind } from '../plan/plan.ts';
import type { LiveTask } from '../processes/live-task.ts';
import type { Follower } from './settle.ts';

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
  /** Newest block of L1 and of each chain's sequencer. */
  blocks(): Readonly<Record<string, number>>;
}

/** Creates the view of the processes that follow the clock. */
export function clockFollowers(
  plan: () => Plan,
  tasks: ReadonlyMap<string, LiveTask>,
  quiesce: Pick<QuiesceService, 'reports'>,
): Followers {
  function all(): readonly Follower[] {
    const sequencers = new Set(
      plan().network.chains.flatMap(({ nodes }) =>
        nodes.flatMap((node) => (node.role === 'sequencer' ? node.cl.task : [])),
      ),
    );
    const reports = quiesce.reports();
    return [...tasks.values()]
      .filter((live) => live.task.clock === 'network' && takesPart(live))
      .map(({ task: { id, kind, chain } }) => ({
        task: id,
        kind,
        chain,
        isSequencer: sequencers.has(id),
        report: reports.get(id),
      }));
  }

  /** Whether a process is up, and what it depends on in its node too. */
  function takesPart(live: LiveTask): boolean {
    const needs = [live, ...live.task.needs.flatMap(({ task }) => tasks.get(task) ?? [])];
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
    blocks: () =>
      Object.fromEntries(
        all().flatMap(({ chain, isSequencer, report }) => {
          const progress = report?.progress;
          if (progress === undefined || progress.kind === 'poster' || progress.number === null) return [];
          if (progress.kind === 'beacon') return [['l1', progress.number]];
          return isSequencer ? [[chain ?? '', progress.number]] : [];
        }),
      ),
  };
}
