import type { Schedule } from './create.ts';
import type { Fork } from './fork.ts';

/** Reads activation times under the keys that `keyOf` names. Other keys and values that are no number are ignored. */
export function readTimes<Name extends string>(
  list: readonly Fork<Name>[],
  config: Readonly<Record<string, unknown>>,
  keyOf: (fork: Fork<Name>) => string | null,
): Schedule<Name> {
  const schedule: { [name in Name]?: number } = {};
  for (const fork of list) {
    const key = keyOf(fork);
    const time = key === null ? undefined : config[key];
    if (typeof time === 'number') schedule[fork.name] = time;
  }
  return schedule;
}

/** The inverse of {@link readTimes}: key → time of the forks that are scheduled and have a key. */
export function writeTimes<Name extends string>(
  list: readonly Fork<Name>[],
  schedule: Schedule<Name>,
  keyOf: (fork: Fork<Name>) => string | null,
): Record<string, number> {
  const times: Record<string, number> = {};
  for (const fork of list) {
    const key = keyOf(fork);
    const time = schedule[fork.name];
    if (key !== null && time !== undefined) times[key] = time;
  }
  return times;
}
