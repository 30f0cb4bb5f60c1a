import * as z from 'zod';
import { input, option, word } from '../inputs.ts';
import { tool } from '../tool.ts';

export const block = tool({
  name: 'block',
  title: 'Look at a block',
  description: 'A block of L1 or L2, decoded: transactions, L1 origin, and the batch on L1 that carried it.',
  input: z.object({
    block: word('a number, a hash, latest, safe or finalized; default: latest').optional(),
    chain: input.chain,
    node: word('the node that is asked; default: the sequencer').optional(),
    devnet: input.devnet,
  }),
  controls: false,
  timeoutMs: 60_000,
  words: ({ block: which = 'latest', chain, node, devnet }, networks) => [
    ...['block', which, ...option('chain', chain), ...option('node', node)],
    ...networks.option(devnet),
  ],
});
