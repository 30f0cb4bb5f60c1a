import { posterCommand } from '../../families/poster-command.ts';

export const command = posterCommand(
  'batcher',
  'stop',
  "stop a chain's batcher: safe heads stand until it posts again",
);
