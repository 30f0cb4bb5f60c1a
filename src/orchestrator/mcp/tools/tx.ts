import * as z from 'zod';
import { input, option } from '../inputs.ts';
import { tool } from '../tool.ts';

export const tx = tool({
  name: 'tx',
  title: 'Look at a transaction',
  description:
    'A transaction of L1 or L2, decoded: call, fees, deposit, batch, logs, and with `trace` the calls it makes.',
  input: z.object({
    hash: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'a hash'),
    trace: z.boolean().optional(),
    chain: input.chain,
    devnet: input.devnet,
  }),
  controls: false,
  timeoutMs: 60_000,
  words: ({ hash, trace = false, chain, devnet }, networks) => [
    ...['tx', hash, ...(trace ? ['--trace'] : [])],
    ...[...option('chain', chain), ...networks.option(devnet)],
  ],
});
