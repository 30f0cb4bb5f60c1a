import { EXIT, Failure } from '../../system/failure.ts';
import type { ChainView, Plan } from '../plan/plan.ts';

/** Returns the chain of a name, or the only one without a name. @throws Failure `chain` (exit 2) with the list */
export function chainOf({ devnet, network }: Plan, chainName: string | undefined): ChainView {
  const names = network.chains.map(({ name }) => name).join(', ');
  const [only, ...others] = network.chains.filter(({ name }) => chainName === undefined || name === chainName);
  if (only === undefined)
    throw new Failure('chain', `${devnet} has no chain ${chainName}; expected one of ${names}`, { exit: EXIT.usage });
  if (others.length === 0) return only;
  throw new Failure('chain', `${devnet} has several chains: ${names}`, {
    exit: EXIT.usage,
    hint: 'select one with --chain CHAIN',
  });
}
