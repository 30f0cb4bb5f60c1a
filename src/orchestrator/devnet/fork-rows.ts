import { timeAt } from '../../system/time/clock.ts';
import { type ForkRow, forkTable } from '../status/forks.ts';
import { type Heads, readHeads } from '../status/heads.ts';
import { type Devnet, isUp, viewOf } from './select.ts';

/** The activation tables of all chains, and the network's clock (Unix seconds) at which they were made. */
export interface ForkRows {
  readonly rows: readonly ForkRow[];
  readonly now: number;
}

/** Reads the activation tables of a devnet with the heads of its nodes. */
export async function forkRows(devnet: Devnet): Promise<ForkRows> {
  const { plan, state } = viewOf(devnet);
  const heads: ReadonlyMap<string, Heads> = isUp(devnet) ? await readHeads(plan) : new Map();
  // The clock of a stopped network does not run.
  const now = timeAt(state.clock, isUp(devnet) ? Date.now() : (state.pausedAt ?? Date.now())) / 1000;
  const moment = { genesisTime: plan.genesisTime, now };
  return { now, rows: plan.network.chains.flatMap((chain) => forkTable(chain, moment, heads)) };
}
