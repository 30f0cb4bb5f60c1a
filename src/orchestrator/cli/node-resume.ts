import { EXIT } from '../../system/failure.ts';
import type { CommandDefinition } from '../workflow/command.ts';
import { NODE_ARGUMENT, NODE_OPTIONS, nodeCommand } from '../workflow/node-command.ts';

export const command: CommandDefinition = {
  name: 'node resume',
  summary: "let a node's suspended processes go on",
  arguments: [NODE_ARGUMENT],
  options: NODE_OPTIONS,
  async run(io, [node], options) {
    await nodeCommand(io, 'resume', String(node), options);
    return EXIT.done;
  },
};
