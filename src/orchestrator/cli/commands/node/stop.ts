import { nodeActionCommand } from '../../families/node-command.ts';

export const command = nodeActionCommand('stop', "stop a node's processes; the network goes on without it");
