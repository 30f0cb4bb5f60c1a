import { EXIT } from '../../../system/failure.ts';
import { setClock } from '../../change/warp.ts';
import { selectDevnet } from '../../devnet/select.ts';
import { isoTime } from '../../status/forks.ts';
import type { CommandDefinition } from '../input/command.ts';
import { DEVNET_ARGUMENT, DEVNET_OPTIONS, wantedName } from '../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'resume',
  group: 'change a network',
  summary: 'let a paused network go on where it stands',
  examples: ['devnet resume'],
  arguments: [DEVNET_ARGUMENT],
  options: DEVNET_OPTIONS,
  async run(io, [name], options) {
    const { at } = await setClock(selectDevnet(io, wantedName(name, options)), 'resume');
    io.stderr(`the network's clock goes on from ${isoTime(Math.floor(at / 1000))}\n`);
    return EXIT.done;
  },
};
