import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Home, rpc, type Status } from '../e2e/devnet.ts';
import { until } from './derivation/faults.ts';

/** A network whose L1 is tried, and its random source. */
export interface Trial {
  readonly home: Home;
  readonly name: string;
  /** Count of the snapshots. */
  saves: number;
  /** Returns a number below a bound. */
  pick(bound: number): number;
}

interface Block {
  readonly hash: string;
  readonly number: string;
}

/** Runs a command, which must succeed. */
export async function succeed({ home }: Trial, ...args: string[]): Promise<void> {
  const { code, stderr } = await home.devnet(...args);
  expect(code, `devnet ${args.join(' ')}: ${stderr}`).toBe(0);
}

export async function l1Head({ home }: Trial): Promise<Block> {
  const { l1 } = await home.json<Status>('status');
  return rpc<Block>(l1.rpc, 'eth_getBlockByNumber', 'latest', false);
}

/** Expects a block of L1 from before a restart. */
async function expectBlock({ home }: Trial, { number, hash }: Block): Promise<void> {
  const { l1 } = await home.json<Status>('status');
  expect(await rpc<Block>(l1.rpc, 'eth_getBlockByNumber', number, false)).toMatchObject({ hash });
}

async function restart(trial: Trial, task: string): Promise<void> {
  const head = await l1Head(trial);
  await succeed(trial, 'node', 'kill', task);
  await succeed(trial, 'node', 'start', task);
  await expectBlock(trial, head);
}

/** What is done to L1, each to its end. One more step is one more entry. */
export const STEPS: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  async save(trial) {
    trial.saves++;
    await succeed(trial, 'snapshot', 'save', `save-${trial.saves}`);
  },
  warp: (trial) => succeed(trial, 'warp', '+6s'),
  'kill of L1': (trial) => restart(trial, 'l1'),
  'kill of the beacon': (trial) => restart(trial, 'l1-beacon'),
  async 'kill of the supervisor'(trial) {
    const head = await l1Head(trial);
    const { supervisor } = await trial.home.json<{ supervisor: number }>('status');
    process.kill(supervisor, 'SIGKILL');
    await until('the network to be down', async () => {
      const { phase } = await trial.home.json<{ phase: string }>('status');
      return ['failed', 'stopped'].includes(phase) || undefined;
    });
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
};

/** Returns the lines of a network's log that name L1 blocks which came out different. */
export function different({ home, name }: Trial): readonly string[] {
  const text = readFileSync(`${home.env['DEVNET_HOME']}/${name}/nodes/l1-beacon.log`, 'utf8');
  return text.split('\n').filter((line) => line.includes('came out different'));
}
