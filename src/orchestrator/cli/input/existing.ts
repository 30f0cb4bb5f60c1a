import { EXIT, Failure } from '../../../system/failure.ts';
import { allDevnets, type Devnet, selectDevnet } from '../../devnet/select.ts';
import { isSpec } from '../../load/find-spec.ts';
import type { Io } from '../../terminal/io.ts';
import { type ArgumentDefinition, type OptionValues, textOption } from './command.ts';
import { SPEC_ARGUMENT } from './spec-options.ts';

/** The argument of `spec` and `plan`, which also print a running devnet. */
export const SPEC_OR_NAME: ArgumentDefinition = {
  syntax: SPEC_ARGUMENT.syntax,
  description: `${SPEC_ARGUMENT.description}; to see a running devnet, give --name instead`,
};

/**
 * Returns the running or stopped devnet that `--name` without a spec names, with every change made to it.
 * A word that is neither a file nor a sample may name a devnet too.
 * @throws Failure `which` (exit 2) if no devnet has this name
 */
export function existing(io: Io, spec: unknown, options: OptionValues): Devnet | undefined {
  const name = textOption(options, 'name');
  if (name === undefined && typeof spec === 'string' && !isSpec(io.cwd, spec))
    return allDevnets(io).find(({ paths }) => paths.name === spec);
  if (name === undefined || spec !== undefined) return undefined;
  const changes = ['set', 'manual'].filter((option) => options[option] !== undefined);
  if (changes.length > 0)
    throw new Failure('usage', `--${changes[0]} changes a spec, but --name without a spec names a running devnet`, {
      exit: EXIT.usage,
      hint: 'name the spec too, or leave --name out',
    });
  return selectDevnet(io, name);
}
