import { shapingCommand } from '../../families/fault-command.ts';

export const command = shapingCommand({
  name: 'drop',
  summary: 'let no byte pass, as a firewall that answers nothing: connections stand, new ones hang',
  examples: ['devnet fault drop verifier:l1 --for 20s'],
  options: [],
  isDirected: true,
  shape: () => ({ drop: true }),
});
