import { nodeActionCommand } from '../../families/node-command.ts';

export const command = nodeActionCommand('start', 'start a node that was stopped or killed');
