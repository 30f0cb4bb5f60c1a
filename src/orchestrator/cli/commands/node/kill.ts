import { nodeActionCommand } from '../../families/node-command.ts';

export const command = nodeActionCommand('kill', "kill a node's processes with SIGKILL, as a crash would");
