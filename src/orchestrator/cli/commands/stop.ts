import { EXIT } from '../../../system/failure.ts';
import { isUp, selectDevnet } from '../../devnet/select.ts';
import { endDevnet } from '../../start/end-devnet.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'stop',
  group: 'run a network',
  summary: 'stop all processes and keep all data; `devnet start` resumes',
  examples: ['devnet stop', 'devnet stop default'],
  arguments: [DEVNET_ARGUMENT],
  options: DEVNET_OPTIONS,
  async run(io, [name], options) {
    const devnet = selectDevnet(io, wantedName(name, options));
    if (!isUp(devnet)) {
      io.stderr(`${devnet.paths.name} is not running\n`);
      return EXIT.done;
    }
    return (await endDevnet(io, devnet, 'stop')) ? EXIT.done : EXIT.failed;
  },
};
