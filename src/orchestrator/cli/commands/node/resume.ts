import { nodeActionCommand } from '../../families/node-command.ts';

export const command = nodeActionCommand('resume', "let a node's suspended processes go on");
