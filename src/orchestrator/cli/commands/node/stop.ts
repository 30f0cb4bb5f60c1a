import { nodeActionCommand } from '../../input/node-command.ts';

export const command = nodeActionCommand('stop', "stop a node's processes; the network goes on without it");
