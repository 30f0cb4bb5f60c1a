import { resolve } from 'node:path';
import { EXIT } from '../../../system/failure.ts';
import { writeBundle } from '../../devnet/bundle.ts';
import { selectDevnet } from '../../devnet/select.ts';
import { version } from '../../devnet/version.ts';
import { type CommandDefinition, textOption } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'bundle',
  group: 'save a network',
  summary: 'pack spec, plan, versions, logs, heads and problems of a devnet into one file, without secrets',
  examples: ['devnet bundle -o report.tgz'],
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '-o, --out <file>', description: 'the file; default: NAME.tgz in the current folder' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options));
    const file = textOption(options, 'out') ?? `${devnet.paths.name}.tgz`;
    const names = await writeBundle(devnet, resolve(io.cwd, file), version());
    io.stderr(`wrote ${file}: ${names.length} files, without secrets\n`);
    return EXIT.done;
  },
};
