import { EXIT } from '../../system/failure.ts';
import type { CommandDefinition } from './command.ts';
import { endDevnet } from './end-devnet.ts';
import { isUp, selectDevnet } from './select.ts';

export const command: CommandDefinition = {
  name: 'stop',
  summary: 'stop all processes and keep everything; `start` goes on',
  arguments: [{ syntax: '[name]', description: 'the devnet; may be left out where one is up' }],
  options: [],
  async run(io, [name]) {
    const devnet = selectDevnet(io, name as string | undefined);
    if (!isUp(devnet)) {
      io.stderr(`${devnet.paths.name} is not running\n`);
      return EXIT.done;
    }
    return (await endDevnet(io, devnet, 'stop')) ? EXIT.done : EXIT.failed;
  },
};
