import type { ProcessIdentity } from '../../system/process-identity.ts';
import type { Plan } from '../plan/plan.ts';
import { endLeftovers, lastAlive, reserveSpace } from './home.ts';
import type { Paths } from './paths.ts';
import { reservePort } from './reservations.ts';
import { readState } from './state.ts';

/**
 * Prepares the resumption of a stopped devnet and returns the offset of its network clock.
 * It ends what a dead supervisor left and reserves the ports again. The offset hides the pause from the chain.
 */
export async function resume(paths: Paths, plan: Plan, own: ProcessIdentity): Promise<number> {
  const file = readState(paths.state);
  if (file.kind !== 'state') throw new Error(`there is no state of ${paths.name} to go on with (${paths.state})`);
  const { state } = file;
  await endLeftovers(paths);
  reserveSpace(paths);
  for (const task of plan.tasks) for (const { port } of task.ports) reservePort(paths, port, own);
  const pausedAt = state.pausedAt ?? lastAlive(state, plan);
  return Math.min(state.offsetMs, state.offsetMs - (Date.now() - pausedAt));
}
