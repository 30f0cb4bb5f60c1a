import { EXIT } from '../../../../system/failure.ts';
import { readFaults } from '../../../change/faults.ts';
import { readClock } from '../../../change/warp.ts';
import { selectDevnet, viewOf } from '../../../devnet/select.ts';
import { faultLines } from '../../../faults/describe.ts';
import { fitToTerminal } from '../../../terminal/fit.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'fault ls',
  group: 'look at a network',
  summary: 'list the faults that stand, with the links that each touches',
  examples: ['devnet fault ls', 'devnet fault ls --json > faults.json'],
  arguments: [],
  options: [{ flags: '--json', description: 'as one document, which `fault apply` takes' }, ...DEVNET_OPTIONS],
  async run(io, _, options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const document = await readFaults(devnet);
    if (options['json'] === true) {
      io.stdout(`${JSON.stringify(document, null, 2)}\n`);
      return EXIT.done;
    }
    const lines = faultLines(document, viewOf(devnet).plan, (await readClock(devnet)).at);
    io.stdout(fitToTerminal(io, lines.length === 0 ? 'no fault stands\n' : lines.map((line) => `${line}\n`).join('')));
    return EXIT.done;
  },
};
