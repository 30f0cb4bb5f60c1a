import { EXIT } from '../../../../system/failure.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { restoreSnapshot } from '../../../snapshots/snapshot.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'snapshot restore',
  group: 'save a network',
  summary: 'take a running network back to a snapshot of it: all its processes start again with that state',
  examples: ['devnet snapshot restore deployed'],
  arguments: [{ syntax: '<snapshot>', description: 'the name of the snapshot, or a file' }],
  options: DEVNET_OPTIONS,
  async run(io, [name], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { at } = await restoreSnapshot(io, devnet, String(name));
    io.stderr(`${devnet.paths.name} is back at ${new Date(at).toISOString()}\n`);
    return EXIT.done;
  },
};
