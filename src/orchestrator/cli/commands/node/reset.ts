import { EXIT } from '../../../../system/failure.ts';
import { changeNode } from '../../../change/change-node.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { NODE_ARGUMENT, NODE_OPTIONS } from '../../families/node-command.ts';
import { CHANGE_OPTIONS, wishOf } from '../../input/change-options.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'node reset',
  group: 'change a network',
  summary: "empty a node's data and start it again: it derives or syncs its chain anew",
  examples: ['devnet node reset verifier'],
  arguments: [NODE_ARGUMENT],
  options: [...CHANGE_OPTIONS, ...NODE_OPTIONS],
  async run(io, [node], options) {
    await changeNode(io, selectDevnet(io, textOption(options, 'name')), String(node), wishOf(options), {
      rewind: false,
      empty: true,
    });
    return EXIT.done;
  },
};
