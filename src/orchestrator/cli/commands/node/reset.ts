import { EXIT } from '../../../../system/failure.ts';
import { CHANGE_OPTIONS, changeNode } from '../../../change/change-node.ts';
import { NODE_ARGUMENT, NODE_OPTIONS } from '../../../change/node-command.ts';
import { closeClients } from '../../../probe/call.ts';
import type { CommandDefinition } from '../../../terminal/command.ts';

export const command: CommandDefinition = {
  name: 'node reset',
  group: 'change a network',
  summary: "empty a node's data and start it again: it derives or syncs its chain anew",
  examples: ['devnet node reset verifier'],
  arguments: [NODE_ARGUMENT],
  options: [...CHANGE_OPTIONS, ...NODE_OPTIONS],
  async run(io, [node], options) {
    await changeNode(io, String(node), options, { rewind: false, empty: true }).finally(closeClients);
    return EXIT.done;
  },
};
