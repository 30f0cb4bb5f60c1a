import { EXIT, Failure } from '../../system/failure.ts';
import { isAttached } from '../plan/lookup.ts';
import type { Task } from '../plan/plan.ts';
import { type Devnet, viewOf } from './select.ts';

/**
 * Refuses what only a network of this machine has: a spec, processes, logs. `what`: what the command needs. `tasks`:
 * those that it is about.
 * @throws Failure `attach` (exit 2) if the network is attached, and none of the tasks runs here
 */
export function mustRunHere(devnet: Devnet, what: string, tasks: readonly Task[] = []): void {
  const { plan } = viewOf(devnet);
  if (!isAttached(plan) || tasks.some(({ launch }) => launch !== 'external')) return;
  throw new Failure('attach', `${devnet.paths.name} is attached: it runs elsewhere, and there is no ${what} here`, {
    exit: EXIT.usage,
    hint: 'run the command where the network was started',
  });
}
