import { nodeActionCommand } from '../../../change/node-command.ts';

export const command = nodeActionCommand('resume', "let a node's suspended processes go on");
