import { shapingCommand } from '../../families/fault-command.ts';

export const command = shapingCommand({
  name: 'cut',
  summary: 'end the connections of links, and refuse new ones',
  examples: ['devnet fault cut sequencer-verifier:p2p', 'devnet fault cut beacon --for 1m'],
  options: [],
  isDirected: false,
  shape: () => ({ cut: true }),
});
