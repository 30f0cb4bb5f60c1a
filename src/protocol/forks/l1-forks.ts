import type { Rules } from '../rules/rules.ts';
import { ethereumRulesOf, readBlobSchedule } from './blob-schedule.ts';
import { type EthereumSchedule, ethereumScheduleOf } from './ethereum.ts';

/** The forks of L1, and the rules at a time (Unix seconds). */
export interface L1Forks {
  readonly schedule: EthereumSchedule;
  readonly rulesAt: (time: number) => Rules;
}

/** Reads the forks of L1 from its chain configuration. */
export function forksOf(config: Readonly<Record<string, unknown>>): L1Forks {
  const schedule = ethereumScheduleOf(config);
  return { schedule, rulesAt: ethereumRulesOf(schedule, readBlobSchedule(config).schedule) };
}
