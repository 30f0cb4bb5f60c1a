import { EXIT, Failure } from '../../../system/failure.ts';
import { type ArgumentDefinition, type OptionDefinition, type OptionValues, textOption } from './command.ts';

/** Option that names the rollup chain of a command. */
export const CHAIN_OPTION: OptionDefinition = {
  flags: '--chain <chain>',
  description: 'the rollup chain; may be left out if the devnet has one',
};

/** Option that names the devnet. Every command about a devnet has it. */
export const DEVNET_OPTIONS: readonly OptionDefinition[] = [
  {
    flags: '-n, --name <name>',
    description: 'the devnet; default: DEVNET_NAME, that of ./devnet.yaml, the only one that is up',
  },
];

/** Argument that names the devnet of a command. */
export const DEVNET_ARGUMENT: ArgumentDefinition = {
  syntax: '[name]',
  description: 'the devnet; default: DEVNET_NAME, that of ./devnet.yaml, the only one that is up',
};

/**
 * Returns the name that the command line gives, as argument or option.
 * @throws Failure `usage` (exit 2) if the two differ
 */
export function wantedName(argument: unknown, options: OptionValues): string | undefined {
  const option = textOption(options, 'name');
  if (typeof argument !== 'string') return option;
  if (option === undefined || argument === option) return argument;
  throw new Failure('usage', `two devnets are named: ${argument} and --name ${option}`, {
    exit: EXIT.usage,
    hint: 'give one of them',
  });
}
