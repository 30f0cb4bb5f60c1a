import type { OptionDefinition, OptionValues } from './command.ts';
import type { SpecInput } from './load-spec.ts';

/** Options of the commands that bring a network up. */
export const UP_OPTIONS: readonly OptionDefinition[] = [
  { flags: '--set <path=value>', description: 'set a value of the spec: chains.main.blockTime=1', repeatable: true },
  { flags: '--manual <node.part>', description: 'start this process yourself: NODE.el or NODE.cl', repeatable: true },
  { flags: '--ttl <duration>', description: 'end by itself after this time' },
  { flags: '--ready-budget <duration>', description: 'give up when it is not ready after this time (default: 1m)' },
];

/** What of the command line concerns the spec. */
export function specInput(spec: string | readonly string[] | undefined, options: OptionValues): SpecInput {
  return {
    spec: typeof spec === 'string' ? spec : undefined,
    set: (options['set'] as readonly string[] | undefined) ?? [],
    manual: (options['manual'] as readonly string[] | undefined) ?? [],
  };
}
