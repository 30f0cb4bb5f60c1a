import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { rpc, type Status } from '../e2e/devnet.ts';
import { forkMove, forkMoveWithKill } from './l1-fork-move.ts';
import { fullDisk } from './l1-full-disk.ts';
import { expectBlock, killSupervisor, l1Head, save, succeed, type Trial } from './l1-trial.ts';

async function restart(trial: Trial, task: string): Promise<void> {
  const head = await l1Head(trial);
  await succeed(trial, 'node', 'kill', task);
  await succeed(trial, 'node', 'start', task);
  await expectBlock(trial, head);
}

/** What is done to L1, each to its end. One more step is one more entry. */
export const STEPS: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  async save(trial) {
    await save(trial);
  },
  warp: (trial) => succeed(trial, 'warp', '+6s'),
  'kill of L1': (trial) => restart(trial, 'l1'),
  'kill of the beacon': (trial) => restart(trial, 'l1-beacon'),
  async 'kill of the supervisor'(trial) {
    const head = await l1Head(trial);
    await killSupervisor(trial);
    await succeed(trial, 'start', trial.name);
    await expectBlock(trial, head);
  },
  async reorganisation(trial) {
    const { l1 } = await trial.home.json<Status>('status');
    const depth = 1 + trial.pick(7);
    const refused = await rpc(l1.rpc, 'anvil_rollback', depth).catch((error: Error) => error);
    // L1 has no states from before its last start.
    if (refused instanceof Error) expect(refused.message).toContain('reorganise fewer blocks');
  },
  'full disk': fullDisk,
  'fork move': forkMove,
  'kill of the supervisor in a fork move': forkMoveWithKill,
};

/** Returns the lines of a network's log that name L1 blocks which came out different. */
export function different({ home, name }: Trial): readonly string[] {
  const text = readFileSync(`${home.env['DEVNET_HOME']}/${name}/nodes/l1-beacon.log`, 'utf8');
  return text.split('\n').filter((line) => line.includes('came out different'));
}
