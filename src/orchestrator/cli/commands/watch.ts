import type { CommandDefinition } from '../../workflow/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, selectDevnet, wantedName } from '../../workflow/select.ts';
import { watchEvents } from '../../workflow/watch-events.ts';

export const command: CommandDefinition = {
  name: 'watch',
  group: 'look at a network',
  summary: 'print heads, fork activations, reorgs, stalls and divergences as they happen',
  examples: ['devnet watch', 'devnet watch --json'],
  arguments: [DEVNET_ARGUMENT],
  options: [{ flags: '--json', description: 'one JSON object a line' }, ...DEVNET_OPTIONS],
  run: (io, [name], options) => watchEvents(io, selectDevnet(io, wantedName(name, options)), options['json'] === true),
};
