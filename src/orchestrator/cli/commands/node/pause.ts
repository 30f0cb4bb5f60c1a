import { nodeActionCommand } from '../../input/node-command.ts';

export const command = nodeActionCommand('pause', "suspend a node's processes with SIGSTOP, as a frozen machine would");
