import { EXIT } from '../../system/failure.ts';
import type { CommandDefinition } from '../workflow/command.ts';
import { NODE_ARGUMENT, NODE_OPTIONS, nodeCommand } from '../workflow/node-command.ts';

export const command: CommandDefinition = {
  name: 'node pause',
  summary: "suspend a node's processes with SIGSTOP, as a frozen machine would",
  arguments: [NODE_ARGUMENT],
  options: NODE_OPTIONS,
  async run(io, [node], options) {
    await nodeCommand(io, 'pause', String(node), options);
    return EXIT.done;
  },
};
