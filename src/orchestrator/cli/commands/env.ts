import { EXIT } from '../../../system/failure.ts';
import { selectDevnet, viewOf } from '../../devnet/select.ts';
import { environmentOf, FORMATS } from '../../environment/environment.ts';
import { entryOf } from '../../plan/lookup.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'env',
  group: 'look at a network',
  summary: 'print addresses and keys for other programs, as shell exports or in another format',
  examples: ['eval "$(devnet env)"', 'devnet env --format dotenv'],
  arguments: [DEVNET_ARGUMENT],
  options: [
    {
      flags: '--format <format>',
      description: 'format of the output',
      choices: Object.keys(FORMATS),
      default: 'shell',
    },
    { flags: '--json', description: 'the same as --format json' },
    ...DEVNET_OPTIONS,
  ],
  forPrograms: () => true,
  async run(io, [name], options) {
    const format = options['json'] === true ? 'json' : String(options['format']);
    const { plan } = viewOf(selectDevnet(io, wantedName(name, options)));
    io.stdout(entryOf(FORMATS, format)(plan, environmentOf(plan)));
    return EXIT.done;
  },
};
