import { FORKS, type ForkName, type ForkSchedule, findFork, orderProblems } from '../../../protocol/forks/index.ts';
import type { ForkTimes } from '../../plan/plan.ts';

/** State of a fork at a block. `activates`: its activation block is this one. `unscheduled`: it has no time at all. */
export type ForkState = 'active' | 'activates' | 'inactive' | 'unscheduled';

/** A schedule that gives a fork another state than the network's. Further forks move with it if order demands it. */
export interface Candidate {
  readonly changes: readonly { readonly fork: string; readonly state: ForkState }[];
  readonly schedule: ForkSchedule;
}

/** Times of a block and of its parent, Unix seconds. */
export interface BlockTimes {
  readonly parent: number;
  readonly block: number;
}

/** Returns the fork times of a plan as a schedule. Forks that never activate are left out. */
export function scheduleFrom(...layers: readonly ForkTimes[]): ForkSchedule {
  const times = Object.assign({}, ...layers) as ForkTimes;
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) => {
      const fork = findFork(name);
      return fork === undefined || time === null ? [] : [[fork.name, time] as const];
    }),
  );
}

/** Returns the state of a fork at a block. */
export function stateAt(schedule: ForkSchedule, fork: ForkName, { parent, block }: BlockTimes): ForkState {
  const time = schedule[fork];
  if (time === undefined) return 'unscheduled';
  if (time <= parent) return 'active';
  return time <= block ? 'activates' : 'inactive';
}

/** Time that gives a fork a state at a block. */
function timeFor(state: ForkState, { block }: BlockTimes): number | undefined {
  if (state === 'unscheduled') return undefined;
  if (state === 'active') return 0;
  return state === 'activates' ? block : block + 1;
}

/**
 * Returns every schedule in which one fork has another state at a block: earlier, with this block, or later.
 * If that breaks the order of forks, the same with the forks that would have to move too.
 */
export function candidates(schedule: ForkSchedule, times: BlockTimes): Candidate[] {
  const [, ...forks] = FORKS;
  return forks.flatMap((fork) => {
    const now = stateAt(schedule, fork.name, times);
    // Without rules until its activation, a fork that is not scheduled is one that comes later.
    const hasUntil = Object.keys(fork.rulesUntil).length > 0;
    const equal = (state: ForkState) => state === now || (!hasUntil && isOff(state) && isOff(now));
    const states = (
      ['active', 'activates', 'inactive', ...(hasUntil ? (['unscheduled'] as const) : [])] as const
    ).filter((state) => !equal(state));
    return states.flatMap((state) => {
      const one = changed(schedule, [fork.name], state, times);
      if (orderProblems(one.schedule).length <= orderProblems(schedule).length) return [one];
      return [one, changed(schedule, alongWith(schedule, fork.name, state, times), state, times)];
    });
  });
}

const isOff = (state: ForkState) => state === 'inactive' || state === 'unscheduled';

/** Returns the forks that have to move with one, so that the order holds. */
function alongWith(schedule: ForkSchedule, fork: ForkName, state: ForkState, times: BlockTimes): ForkName[] {
  const chain = FORKS.filter(({ optional }) => !optional).slice(1);
  const at = chain.findIndex(({ name }) => name === fork);
  const rank: Readonly<Record<ForkState, number>> = { active: 0, activates: 1, inactive: 2, unscheduled: 2 };
  return chain
    .filter(({ name }, index) => {
      const ownRank = rank[stateAt(schedule, name, times)];
      return index === at || (index < at ? ownRank > rank[state] : ownRank < rank[state]);
    })
    .map(({ name }) => name);
}

function changed(schedule: ForkSchedule, forks: readonly ForkName[], state: ForkState, times: BlockTimes): Candidate {
  const time = timeFor(state, times);
  const { ...next }: { -readonly [name in ForkName]?: number } = schedule;
  for (const fork of forks) {
    if (time === undefined) delete next[fork];
    else next[fork] = time;
  }
  return { changes: forks.map((fork) => ({ fork, state })), schedule: next };
}

/** Describes a candidate: "holocene not active (later or never)". */
export function describeChanges({ changes }: Pick<Candidate, 'changes'>, block: number): string {
  const words: Readonly<Record<ForkState, string>> = {
    active: `active before block ${block}`,
    activates: `activated by block ${block}`,
    inactive: `not active at block ${block} (later or never)`,
    unscheduled: 'not in the schedule (never)',
  };
  const [first] = changes;
  return first === undefined ? '' : `${changes.map(({ fork }) => fork).join(', ')} ${words[first.state]}`;
}
