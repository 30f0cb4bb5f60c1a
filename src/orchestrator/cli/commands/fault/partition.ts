import { selectDevnet } from '../../../devnet/select.ts';
import { FAULT_OPTIONS, runFault } from '../../families/fault-command.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'fault partition',
  group: 'change a network',
  summary: 'divide the network: no connection between the groups; what no group names stays connected with all',
  examples: ['devnet fault partition sequencer,batcher,l1 verifier', 'devnet fault partition a,b c,d --for 1m'],
  arguments: [
    { syntax: '<groups...>', description: 'nodes by commas, a group each; also l1, beacon, batcher, proposer' },
  ],
  options: FAULT_OPTIONS,
  async run(io, [words], options) {
    const groups = [words ?? []].flat().map((word) => word.split(',').filter((name) => name !== ''));
    const partition = { groups: groups.filter((group) => group.length > 0) };
    return runFault(io, selectDevnet(io, textOption(options, 'name')), { partition }, options);
  },
};
