import { EXIT, Failure } from '../../system/failure.ts';
import { environmentOf, FORMATS, formatEnvironment } from '../observe/environment.ts';
import type { CommandDefinition } from '../workflow/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, selectDevnet, viewOf, wantedName } from '../workflow/select.ts';

export const command: CommandDefinition = {
  name: 'env',
  summary: 'print addresses and keys for other programs, as shell exports or in another format',
  arguments: [DEVNET_ARGUMENT],
  options: [
    { flags: '--format <format>', description: Object.keys(FORMATS).join(' | '), default: 'shell' },
    { flags: '--json', description: 'the same as --format json' },
    ...DEVNET_OPTIONS,
  ],
  async run(io, [name], options) {
    const format = options['json'] === true ? 'json' : String(options['format']);
    const { plan } = viewOf(selectDevnet(io, wantedName(name, options)));
    const text = formatEnvironment(format, plan, environmentOf(plan));
    if (text === undefined)
      throw new Failure(
        'usage',
        `--format: expected one of ${Object.keys(FORMATS).join(', ')}, found ${JSON.stringify(format)}`,
        { exit: EXIT.usage },
      );
    io.stdout(text);
    return EXIT.done;
  },
};
