import { ethereumRulesOf, readBlobSchedule } from '../../../protocol/forks/blob-schedule.ts';
import { type EthereumSchedule, ethereumScheduleOf } from '../../../protocol/forks/ethereum.ts';
import { L1_HARDFORKS, type L1Hardfork } from '../../../protocol/genesis/inputs.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';

/** The forks of L1, and the rules at a time (Unix seconds). */
export interface L1Forks {
  readonly schedule: EthereumSchedule;
  readonly rulesAt: (time: number) => Rules;
}

/** Returns the forks of an L1 that is at one of them from genesis on. */
export function forksAtGenesis(hardfork: L1Hardfork): L1Forks {
  const past = L1_HARDFORKS.slice(0, L1_HARDFORKS.indexOf(hardfork) + 1);
  return forksOf({ shanghaiTime: 0, ...Object.fromEntries(past.map((name) => [`${name}Time`, 0])) });
}

/** Reads the forks of L1 from its chain configuration. */
export function forksOf(config: Readonly<Record<string, unknown>>): L1Forks {
  const schedule = ethereumScheduleOf(config);
  return { schedule, rulesAt: ethereumRulesOf(schedule, readBlobSchedule(config).schedule) };
}
