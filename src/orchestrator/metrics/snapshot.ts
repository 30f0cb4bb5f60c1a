import { type ProcessUse, processUse } from '../../system/process/use.ts';
import { freshState } from '../devnet/fresh-state.ts';
import { type Devnet, isUp, viewOf } from '../devnet/select.ts';
import { standingEvents } from '../devnet/standing-events.ts';
import type { Plan } from '../plan/plan.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';
import type { State } from '../state/state.ts';
import type { Gathered, Gatherer } from '../terminal/live-view/gather.ts';

export type Divergence = Extract<NetworkEvent, { kind: 'divergence' }>;

/** Everything that is measured of a network at one time. */
export interface Snapshot {
  readonly plan: Plan;
  readonly state: State;
  /** Whether a supervisor runs. */
  readonly isUp: boolean;
  /** Unix milliseconds. */
  readonly at: number;
  /** Answers of the nodes; undefined if the network does not run. */
  readonly gathered: Gathered | undefined;
  /** Divergences that stand now. */
  readonly divergences: readonly Divergence[];
  /** Of the supervisor (`supervisor`) and of each task with a process. */
  readonly uses: ReadonlyMap<string, ProcessUse>;
}

/** Measures a network. @throws Failure if it has no state */
export async function takeSnapshot(devnet: Devnet, gatherer: Gatherer): Promise<Snapshot> {
  const { plan } = viewOf(devnet);
  const runs = isUp(devnet);
  const fresh = freshState(devnet);
  const [state, gathered, events] = await Promise.all([
    fresh,
    runs ? gatherer.gather(plan, fresh) : undefined,
    runs ? standingEvents(devnet) : [],
  ]);
  return {
    ...{ plan, state, isUp: runs, at: Date.now(), gathered },
    divergences: events.flatMap((event) => (event.kind === 'divergence' ? [event] : [])),
    uses: runs ? usesOf(state) : new Map(),
  };
}

function usesOf({ supervisor, tasks }: State): ReadonlyMap<string, ProcessUse> {
  const pids = [
    ['supervisor', supervisor.pid] as const,
    ...Object.entries(tasks).flatMap(([task, { process }]) =>
      process === undefined ? [] : [[task, process.pid] as const],
    ),
  ];
  return new Map(
    pids.flatMap(([task, pid]) => {
      const use = processUse(pid);
      return use === undefined ? [] : [[task, use] as const];
    }),
  );
}
