import { replaceFile } from '../../system/files/folder.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import type { ClockState } from '../../system/time/clock-state.ts';
import { usualRate } from '../clock/time-control.ts';
import { bringBack, endLeftovers, freshFolder, readPlan, wasPaused, writeClock } from '../folder/devnet-folder.ts';
import { undoExchange } from '../folder/exchange.ts';
import type { Plan } from '../plan/plan.ts';
import type { Paths } from '../state/paths.ts';
import type { FirstOrder } from './first-order.ts';
import { resume } from './resume.ts';

/** What a session begins with. */
export interface OpenedPlan {
  readonly plan: Plan;
  /** The network's time when its first process starts. */
  readonly clock: ClockState;
  /** Whether a user had stopped the clock: it stands until a user resumes it. */
  readonly isPaused: boolean;
}

/**
 * Prepares the devnet's folder and returns the plan to run. `up` begins with a new plan in an empty folder, and at the
 * time of a snapshot if it has one. `resume` begins with the stored plan of a stopped devnet.
 * @throws if a stopped devnet has no stored plan
 */
export async function openPlan(order: FirstOrder, paths: Paths, self: ProcessIdentity): Promise<OpenedPlan> {
  const opened = order.kind === 'up' ? await placeNew(order, paths) : await openStored(paths, self);
  writeClock(paths, opened.clock, opened.isPaused);
  return opened;
}

async function placeNew({ plan, from }: Extract<FirstOrder, { kind: 'up' }>, paths: Paths): Promise<OpenedPlan> {
  const wall = Date.now();
  const first = plan.time.clock === 'stepped' ? plan.genesisTime * 1000 : wall;
  await freshFolder(paths);
  replaceFile(paths.plan, JSON.stringify(plan));
  return { plan, clock: { at: from?.at ?? first, wall, rate: usualRate(plan) }, isPaused: false };
}

async function openStored(paths: Paths, self: ProcessIdentity): Promise<OpenedPlan> {
  await endLeftovers(paths);
  bringBack(paths);
  const former = undoExchange(paths);
  const plan = readPlan(paths);
  if (plan === undefined) throw new Error(`there is no plan of ${paths.name} to go on with (${paths.plan})`);
  const isPaused = wasPaused(paths);
  const clock = await resume(paths, plan, self, former);
  return { plan, clock: isPaused ? { ...clock, rate: 0 } : clock, isPaused };
}
