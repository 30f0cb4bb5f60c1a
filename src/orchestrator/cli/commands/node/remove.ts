import { EXIT } from '../../../../system/failure.ts';
import { removeNode } from '../../../change/nodes/remove-node.ts';
import { selectDevnet } from '../../../devnet/select.ts';
import { NODE_OPTIONS } from '../../families/node-command.ts';
import { type CommandDefinition, textOption } from '../../input/command.ts';
import { CHAIN_OPTION } from '../../input/devnet-options.ts';

export const command: CommandDefinition = {
  name: 'node remove',
  group: 'change a network',
  summary: 'end a verifier and remove it from the network, with its data, logs and ports',
  examples: ['devnet node remove late', 'devnet node remove main/late'],
  arguments: [{ syntax: '<node>', description: 'NODE or CHAIN/NODE' }],
  options: [CHAIN_OPTION, ...NODE_OPTIONS],
  async run(io, [node], options) {
    const devnet = selectDevnet(io, textOption(options, 'name'));
    const removed = await removeNode(io, devnet, String(node), textOption(options, 'chain'));
    io.stderr(`${removed.node} removed: ${removed.tasks.join(', ')} ended, its data and logs are deleted\n`);
    return EXIT.done;
  },
};
