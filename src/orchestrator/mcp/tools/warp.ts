import * as z from 'zod';
import { input, option } from '../inputs.ts';
import { tool } from '../tool.ts';

export const warp = tool({
  name: 'warp',
  title: 'Move the clock forward',
  description:
    'Moves the clock of a devnet forward, slot by slot: every block in between is built, posted and derived.',
  input: z.object({
    to: z
      .string()
      .regex(/^(\+\d+(\.\d+)?(ms|s|m|h)|(fork|block|time):\w+)$/, '+1h, fork:NAME, block:N or time:T')
      .describe('+1h, fork:NAME, block:N or time:T (Unix seconds)'),
    past: z.boolean().optional().describe('with fork:NAME: into its first block'),
    chain: input.chain,
    devnet: input.own,
  }),
  controls: true,
  timeoutMs: 600_000,
  words: ({ to, past = false, chain, devnet }, networks) => [
    ...['warp', ...option('to', to), ...(past ? ['--past'] : [])],
    ...[...option('chain', chain), ...networks.ownOption(devnet)],
  ],
});
