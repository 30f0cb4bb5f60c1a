import { expect } from 'vitest';
import { type Home, rpc, type Status } from '../e2e/devnet.ts';
import type { SmallDisk } from '../orchestrator/cli/small-disk.ts';
import { until } from './derivation/faults.ts';

/** A network whose L1 is tried, and its random source. */
export interface Trial {
  readonly home: Home;
  readonly name: string;
  /** The disk of the home; undefined: this user may mount none. */
  readonly disk: SmallDisk | undefined;
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

/** Expects a block of L1 from before a change. */
export async function expectBlock({ home }: Trial, { number, hash }: Block): Promise<void> {
  const { l1 } = await home.json<Status>('status');
  expect(await rpc<Block>(l1.rpc, 'eth_getBlockByNumber', number, false)).toMatchObject({ hash });
}

/** Saves the state of the network, and removes the snapshot before it. Returns the name. */
export async function save(trial: Trial): Promise<string> {
  const name = `save-${++trial.saves}`;
  await succeed(trial, 'snapshot', 'save', name);
  if (trial.saves > 1) await succeed(trial, 'snapshot', 'rm', `save-${trial.saves - 1}`);
  return name;
}

/** Kills the supervisor, and resolves when its network has ended with it. */
export async function killSupervisor({ home }: Trial): Promise<void> {
  const { supervisor } = await home.json<{ supervisor: number }>('status');
  process.kill(supervisor, 'SIGKILL');
  await until('the network to be down', async () => {
    const { phase } = await home.json<{ phase: string }>('status');
    return ['failed', 'stopped'].includes(phase) || undefined;
  });
}
