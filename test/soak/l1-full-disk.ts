import { expect } from 'vitest';
import type { Status } from '../e2e/devnet.ts';
import type { SmallDisk } from '../orchestrator/cli/small-disk.ts';
import { until } from './derivation/faults.ts';
import { expectBlock, l1Head, save, succeed, type Trial } from './l1-trial.ts';

/** Bytes that a full disk still has for what running processes write meanwhile. A snapshot has more. */
const FREE_BYTES = 1_500_000;

async function pids({ home }: Trial): Promise<readonly number[]> {
  const { chains } = await home.json<Status>('status');
  return chains.flatMap(({ nodes }) => nodes.flatMap(({ el, cl }) => [el.pid, cl.pid]));
}

/** Expects that a command is refused on a full disk, and then succeeds. */
async function refuse(trial: Trial, disk: SmallDisk, left: number, ...args: string[]): Promise<void> {
  disk.fill(left);
  const { code, stderr } = await trial.home.devnet(...args);
  disk.clear();
  expect(stderr, args.join(' ')).toMatch(/ENOSPC.*free some space/s);
  expect(code).not.toBe(0);
}

/** Expects that a running network is as it was after a command that a full disk refuses. */
async function refuseWhileRunning(trial: Trial, disk: SmallDisk, ...args: string[]): Promise<void> {
  const head = await l1Head(trial);
  const before = await pids(trial);
  await refuse(trial, disk, FREE_BYTES, ...args);
  expect(await pids(trial)).toEqual(before);
  await expectBlock(trial, head);
  await until('health to see the space', async () => {
    const { phase } = await trial.home.json<Status>('status');
    return phase === 'ready' || undefined;
  });
}

/** A save, a restore and a start on a full disk are refused, and the network goes on. */
export async function fullDisk(trial: Trial): Promise<void> {
  const { disk, home, name } = trial;
  if (disk === undefined) return;
  await refuseWhileRunning(trial, disk, 'snapshot', 'save', 'refused');
  const { stdout } = await home.devnet('snapshot', 'ls');
  expect(stdout).not.toContain('refused');
  const saved = await save(trial);
  await refuseWhileRunning(trial, disk, 'snapshot', 'restore', saved);
  await succeed(trial, 'snapshot', 'restore', saved);
  const head = await l1Head(trial);
  await succeed(trial, 'stop', name);
  await refuse(trial, disk, 0, 'start', name);
  await succeed(trial, 'start', name);
  await expectBlock(trial, head);
}
