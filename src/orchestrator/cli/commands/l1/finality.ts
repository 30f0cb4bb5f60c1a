import { EXIT, Failure } from '../../../../system/failure.ts';
import { setL1Finality } from '../../../change/l1-finality.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { DEVNET_OPTIONS } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'l1 finality',
  group: 'change a network',
  summary: 'let the safe and the finalized block of L1 stand still, or go on; needs faults: true',
  examples: ['devnet l1 finality stop', 'devnet l1 finality go'],
  arguments: [{ syntax: '<action>', description: 'stop or go' }],
  options: DEVNET_OPTIONS,
  async run(io, [action], options) {
    if (action !== 'stop' && action !== 'go')
      throw new Failure('usage', `expected stop or go, found ${JSON.stringify(action)}`, { exit: EXIT.usage });
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const final = await setL1Finality(devnet, action);
    io.stderr(final === undefined ? 'the finality of L1 goes on\n' : `L1 stays final up to block ${final}\n`);
    return EXIT.done;
  },
};
