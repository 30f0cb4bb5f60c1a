import type { SpecInput } from '../../load/loaded-spec.ts';
import { type ArgumentDefinition, listOption, type OptionDefinition, type OptionValues } from './command.ts';

/** Argument that names the spec of a command. */
export const SPEC_ARGUMENT: ArgumentDefinition = {
  syntax: '[spec]',
  description: 'a path, or the name of a sample; absent: devnet.yaml here, else the default devnet',
};

export const SPEC_OPTIONS: readonly OptionDefinition[] = [
  { flags: '--set <path=value>', description: 'set a value of the spec: chains.main.blockTime=1', repeatable: true },
  { flags: '--runtime <kind>', description: 'in what every process runs: docker, process or embedded' },
  { flags: '--manual <node.part>', description: 'start this process yourself: NODE.el or NODE.cl', repeatable: true },
  { flags: '-n, --name <name>', description: 'the name of the devnet, in place of that in the spec' },
];

/** Extracts the spec's part of a command line. */
export function specInput(spec: string | readonly string[] | undefined, options: OptionValues): SpecInput {
  return {
    spec: typeof spec === 'string' ? spec : undefined,
    set: [
      ...listOption(options, 'set'),
      ...(options['runtime'] === undefined ? [] : [`runtime=${JSON.stringify(options['runtime'])}`]),
      ...(options['name'] === undefined ? [] : [`name=${JSON.stringify(options['name'])}`]),
    ],
    manual: listOption(options, 'manual'),
  };
}
