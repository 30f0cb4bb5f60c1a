import { EXIT, Failure } from '../../system/failure.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import { type OptionDefinition, type OptionValues, textOption } from '../terminal/command.ts';

/** Option that names the rollup chain of a command. */
export const CHAIN_OPTION: OptionDefinition = {
  flags: '--chain <chain>',
  description: 'the rollup chain; may be left out where the devnet has one',
};

/** Returns the chain that `--chain` names, else the only one. @throws Failure `chain` (exit 2) with the list */
export function chainOf({ devnet, network }: Plan, options: OptionValues): ChainView {
  const wanted = textOption(options, 'chain');
  const names = network.chains.map(({ name }) => name).join(', ');
  const [only, ...others] = network.chains.filter(({ name }) => wanted === undefined || name === wanted);
  if (only === undefined)
    throw new Failure('chain', `${devnet} has no chain ${wanted}; expected one of ${names}`, { exit: EXIT.usage });
  if (others.length === 0) return only;
  throw new Failure('chain', `${devnet} has several chains: ${names}`, {
    exit: EXIT.usage,
    hint: 'select one with --chain CHAIN',
  });
}
