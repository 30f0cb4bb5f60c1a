import { once } from 'node:events';
import { expect } from 'vitest';
import type { Status } from '../e2e/devnet.ts';
import { until } from './derivation/faults.ts';
import { expectBlock, killSupervisor, l1Head, succeed, type Trial } from './l1-trial.ts';

/** Longest time (ms) from the start of a fork move to a kill. */
const MAX_KILL_DELAY_MS = 4000;

/** Returns another time for jovian that this run does not reach. */
const move = ({ pick }: Trial) => `jovian=now+${10_000 + pick(10_000)}s`;

/** Moves a fork, and expects L1 as it was and the fork's new time. */
export async function forkMove(trial: Trial): Promise<void> {
  const [head, before] = [await l1Head(trial), await jovian(trial)];
  await succeed(trial, 'fork', move(trial));
  await expectBlock(trial, head);
  expect(await jovian(trial)).not.toBe(before);
}

/** Kills the supervisor at a moment of a fork move. The network starts with the old time or the new one. */
export async function forkMoveWithKill(trial: Trial): Promise<void> {
  const head = await l1Head(trial);
  const command = trial.home.start('fork', move(trial));
  const end = once(command, 'close');
  await Promise.race([end, new Promise((wait) => setTimeout(wait, trial.pick(MAX_KILL_DELAY_MS)))]);
  await killSupervisor(trial);
  await end;
  await until('the command to leave nothing', () => trial.home.leftovers().length === 0 || undefined);
  await succeed(trial, 'start', trial.name);
  await expectBlock(trial, head);
}

async function jovian({ home }: Trial): Promise<number | undefined> {
  return (await home.json<Status>('status')).chains[0]?.forks['jovian'];
}
