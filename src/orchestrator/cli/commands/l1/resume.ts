import { EXIT } from '../../../../system/failure.ts';
import { resumeL1 } from '../../../change/l1.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'l1 resume',
  group: 'change a network',
  summary: 'end a stall of L1: its next block is that of the next slot',
  examples: ['devnet l1 resume'],
  arguments: [],
  options: DEVNET_OPTIONS,
  async run(io, _, options) {
    await resumeL1(selectDevnet(io, textOption(options, 'name')));
    io.stderr('L1 goes on\n');
    return EXIT.done;
  },
};
