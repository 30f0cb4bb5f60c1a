import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const snapshot = tool({
  name: 'snapshot',
  title: 'Save a snapshot',
  description: 'Saves the state of every process of a devnet at one moment, under a name.',
  input: z.object({ snapshot: input.own.unwrap().describe('name of the snapshot'), devnet: input.own }),
  controls: true,
  timeoutMs: 300_000,
  words: ({ snapshot: name, devnet }, networks) => ['snapshot', 'save', name, ...networks.ownOption(devnet)],
  next: { 0: '`revert` goes back to it' },
});
