import type { ProcessIdentity } from '../../system/process/identity.ts';
import { type ClockState, timeAt } from '../../system/time/clock.ts';
import { usualRate } from '../clock/time-control.ts';
import { bringBack, endLeftovers, lastAlive, readPlan, reserveSpace, wasPaused } from '../folder/devnet-folder.ts';
import { undoExchange } from '../folder/exchange.ts';
import type { Plan } from '../plan/plan.ts';
import { DASHBOARD } from '../plan/ports.ts';
import { holderOf } from '../ports/allocate.ts';
import { portsTaken } from '../ports/port-holder.ts';
import { releasePorts, reservePort } from '../ports/reservations.ts';
import type { Paths } from '../state/paths.ts';
import { readState } from '../state/state.ts';
import type { OpenedPlan } from './first-order.ts';

/**
 * Prepares the resumption of a stopped devnet and returns the state of its clock. `former`: the clock to which it
 * returns, if the devnet ended in the middle of a return to a snapshot.
 * It reserves the ports again. The clock goes on where it was, so that the chain
 * does not see the pause.
 * @throws Failure `port` (exit 4) if another devnet has reserved a port meanwhile
 */
export async function resume(
  paths: Paths,
  plan: Plan,
  self: ProcessIdentity,
  former?: ClockState,
): Promise<ClockState> {
  const file = readState(paths.state);
  if (file.kind !== 'state') throw new Error(`there is no state of ${paths.name} to go on with (${paths.state})`);
  const { state } = file;
  reserveSpace(paths);
  const ports = plan.tasks.flatMap((task) => task.ports.map(({ name, port }) => ({ key: `${task.id}:${name}`, port })));
  ports.push(...(plan.links ?? []).map(({ id, listen }) => ({ key: id, port: listen.port })));
  if (plan.dashboard !== undefined) ports.push({ key: DASHBOARD, port: plan.dashboard.port });
  // The lock is held: a supervisor of this devnet that still has them is ending.
  releasePorts(paths.home, { name: paths.name });
  const conflicts = ports.filter(({ port }) => !reservePort(paths, port, self));
  if (conflicts.length > 0)
    throw portsTaken(
      conflicts.map((each) => ({ ...each, holder: holderOf(each.port, paths) })),
      'end that devnet, or wait for its end',
    );
  if (former !== undefined) return { ...former, wall: Date.now(), rate: usualRate(plan) };
  const pausedAt = state.pausedAt ?? lastAlive(state, plan);
  const wall = Date.now();
  // A wall clock that was set back must not move the network's clock forward.
  return { at: timeAt(state.clock, Math.min(pausedAt, wall)), wall, rate: usualRate(plan) };
}

/** Opens the stored plan of a stopped devnet. @throws Error if it has none */
export async function openStored(paths: Paths, self: ProcessIdentity): Promise<OpenedPlan> {
  await endLeftovers(paths);
  bringBack(paths);
  const former = undoExchange(paths);
  const plan = readPlan(paths);
  if (plan === undefined) throw new Error(`there is no plan of ${paths.name} to go on with (${paths.plan})`);
  const isPaused = wasPaused(paths);
  const clock = await resume(paths, plan, self, former);
  return { plan, clock: isPaused ? { ...clock, rate: 0 } : clock, isPaused };
}
