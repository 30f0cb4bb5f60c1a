import {
  FORKS,
  type Fork,
  type ForkName,
  type ForkSchedule,
  forksNeedingBundle,
} from '../../../protocol/forks/index.ts';
import { BASES, FORK_NAMES } from './fork-names.ts';
import type { ForksSpec, NodeSpec } from './types.ts';
import { type ForkClock, forkSeconds } from './values.ts';

/** Forks that are active because the base is. */
export function basedOn(base: ForkName): readonly ForkName[] {
  return BASES.slice(0, BASES.indexOf(base) + 1);
}

/** The chain's one schedule: forks up to the base from genesis (0), the others at their times. */
export function scheduleOfSpec({ base, times }: ForksSpec, clock: ForkClock): ForkSchedule {
  const schedule: { [name in ForkName]?: number } = Object.fromEntries(basedOn(base).map((name) => [name, 0]));
  for (const name of FORK_NAMES) {
    const time = times[name];
    const seconds = time === undefined ? undefined : forkSeconds(time, clock);
    if (seconds !== undefined) schedule[name] = seconds;
  }
  return schedule;
}

/** A node's own schedule: the chain's with its overrides. */
export function scheduleOfNode(schedule: ForkSchedule, override: NodeSpec['override'], clock: ForkClock): ForkSchedule {
  const times: { [name in ForkName]?: number } = { ...schedule };
  for (const name of FORK_NAMES) {
    const time = override[name];
    if (time === undefined) continue;
    const seconds = forkSeconds(time, clock);
    if (seconds === undefined) delete times[name];
    else times[name] = seconds;
  }
  return times;
}

/** Forks that activate after genesis with upgrade transactions, on the chain or on one of its nodes. */
export function forksWithBundle(
  schedule: ForkSchedule,
  nodes: Readonly<Record<string, NodeSpec>>,
  clock: ForkClock,
): readonly Fork[] {
  const all = [schedule, ...Object.values(nodes).map(({ override }) => scheduleOfNode(schedule, override, clock))];
  const needed = new Set(all.flatMap((each) => forksNeedingBundle(each, clock.genesisTime)));
  return FORKS.filter((fork) => needed.has(fork));
}
