import { nodeActionCommand } from '../../input/node-command.ts';

export const command = nodeActionCommand('kill', "kill a node's processes with SIGKILL, as a crash would");
