import * as z from 'zod';
import { input, option } from '../inputs.ts';
import { tool } from '../tool.ts';

export const fork = tool({
  name: 'fork',
  title: 'Move a fork',
  description: 'Moves the activation of a fork of a running chain to another time, on all its nodes.',
  input: z.object({
    fork: z.string().regex(/^[a-z0-9]+$/, 'the name of a fork'),
    at: z
      .string()
      .regex(/^[\w+:]+$/, 'a time of a fork')
      .describe('+60s after genesis, now+40s, a Unix timestamp, block:40 or never'),
    rewind: z.boolean().optional().describe('if heads are past it, go back to the block before it'),
    chain: input.chain,
    devnet: input.own,
  }),
  controls: true,
  timeoutMs: 300_000,
  words: ({ fork: name, at, rewind = false, chain, devnet }, networks) => [
    ...['fork', `${name}=${at}`, ...(rewind ? ['--rewind'] : [])],
    ...[...option('chain', chain), ...networks.ownOption(devnet)],
  ],
  next: { 0: '`warp` to fork:NAME crosses it, `check` compares the nodes after it' },
});
