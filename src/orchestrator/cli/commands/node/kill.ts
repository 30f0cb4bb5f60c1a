import { nodeActionCommand } from '../../../change/node-command.ts';

export const command = nodeActionCommand('kill', "kill a node's processes with SIGKILL, as a crash would");
