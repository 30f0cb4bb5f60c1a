import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const revert = tool({
  name: 'revert',
  title: 'Go back to a snapshot',
  description: 'Takes a running devnet back to a snapshot of it. All its processes start again with that state.',
  input: z.object({ snapshot: input.own.unwrap().describe('name of the snapshot'), devnet: input.own }),
  controls: true,
  timeoutMs: 300_000,
  words: ({ snapshot: name, devnet }, networks) => ['snapshot', 'restore', name, ...networks.ownOption(devnet)],
});
