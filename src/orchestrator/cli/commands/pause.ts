import { EXIT } from '../../../system/failure.ts';
import { setClock } from '../../change/warp.ts';
import { selectDevnet } from '../../devnet/select.ts';
import { isoTime } from '../../status/forks.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'pause',
  group: 'change a network',
  summary: 'stop the clock of the network: no block is made until `devnet resume` or a warp',
  examples: ['devnet pause'],
  arguments: [DEVNET_ARGUMENT],
  options: DEVNET_OPTIONS,
  async run(io, [name], options) {
    const { at } = await setClock(selectDevnet(io, wantedName(name, options)), 'pause');
    io.stderr(`the network's clock stands at ${isoTime(Math.floor(at / 1000))}\n`);
    return EXIT.done;
  },
};
