import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const down = tool({
  name: 'down',
  title: 'Tear a devnet down',
  description: 'Ends all processes of a devnet and deletes it.',
  input: z.object({ devnet: input.own }),
  controls: true,
  timeoutMs: 120_000,
  words: ({ devnet }, networks) => ['down', ...networks.ownOption(devnet)],
  after({ code }, { devnet }, networks) {
    const name = devnet ?? networks.names.at(-1);
    if (code === 0 && name !== undefined) networks.remove(name);
  },
});
