import { shapingCommand } from '../../families/fault-command.ts';

export const command = shapingCommand({
  name: 'drop',
  summary:
    'let no byte pass a link: connections stand, new ones hang; `fault l1-pool drop` loses one transaction instead',
  examples: ['devnet fault drop verifier:l1 --for 20s'],
  options: [],
  isDirected: true,
  shape: () => ({ drop: true }),
});
