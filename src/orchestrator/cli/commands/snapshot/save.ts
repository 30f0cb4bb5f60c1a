import { EXIT } from '../../../../system/failure.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { saveSnapshot } from '../../../snapshots/snapshot.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'snapshot save',
  group: 'save a network',
  summary: 'save the state of every process of a network at one moment; `devnet down` keeps it',
  examples: ['devnet snapshot save deployed'],
  arguments: [{ syntax: '<snapshot>', description: 'the name of the snapshot: a-z, 0-9 and -' }],
  options: [{ flags: '--json', description: 'what was saved, as one JSON document' }, ...DEVNET_OPTIONS],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const { at } = await saveSnapshot(io, devnet, String(name));
    if (options['json'] === true) io.stdout(`${JSON.stringify({ name, devnet: devnet.paths.name, at }, null, 2)}\n`);
    else
      io.stderr(
        `saved ${devnet.paths.name} at ${new Date(at).toISOString()} as ${String(name)}; ` +
          `\`devnet up --from ${String(name)}\` starts a network from it\n`,
      );
    return EXIT.done;
  },
};
