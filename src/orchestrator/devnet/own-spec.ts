import { EXIT, Failure } from '../../system/failure.ts';
import { isAttached } from '../plan/lookup.ts';
import { type Devnet, viewOf } from './select.ts';

/**
 * Refuses what only a network of this machine has: a spec, processes, logs. `what`: what the command needs.
 * @throws Failure `attach` (exit 2) if the network is attached
 */
export function mustRunHere(devnet: Devnet, what: string): void {
  if (!isAttached(viewOf(devnet).plan)) return;
  throw new Failure('attach', `${devnet.paths.name} is attached: it runs elsewhere, and there is no ${what} here`, {
    exit: EXIT.usage,
    hint: 'run the command where the network was started',
  });
}
