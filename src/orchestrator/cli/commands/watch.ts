import { selectDevnet } from '../../devnet/select.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';
import { watchEvents } from '../input/watch-events.ts';

export const command: CommandDefinition = {
  name: 'watch',
  group: 'look at a network',
  summary: 'print heads, fork activations, reorgs, stalls and divergences as they happen',
  examples: ['devnet watch', 'devnet watch --json'],
  arguments: [DEVNET_ARGUMENT],
  options: [{ flags: '--json', description: 'one JSON object a line' }, ...DEVNET_OPTIONS],
  run: (io, [name], options) => watchEvents(io, selectDevnet(io, wantedName(name, options)), options['json'] === true),
};
