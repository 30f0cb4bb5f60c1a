import type { OptionDefinition } from './command.ts';
import { SPEC_OPTIONS } from './spec-options.ts';

/** Options of the commands that bring a network up. */
export const UP_OPTIONS: readonly OptionDefinition[] = [
  ...SPEC_OPTIONS,
  { flags: '--ttl <duration>', description: 'end by itself after this time' },
  {
    flags: '--ready-budget <budget>',
    description:
      'give up when it is not ready after this time (default: 1m), or lacks a stamp after its own: ' +
      'answering=1s,safe=10s',
  },
  { flags: '--report <file>', description: 'write when each stamp came and each process was ready, as JSON' },
];
