import { nodeActionCommand } from '../../families/node-command.ts';

export const command = nodeActionCommand('pause', "suspend a node's processes with SIGSTOP, as a frozen machine would");
