import * as z from 'zod';
import { input, option, word } from '../inputs.ts';
import { tool } from '../tool.ts';

export const wait = tool({
  name: 'wait',
  title: 'Wait for a condition',
  description: 'Waits until every node, or one, has come to a block or fork. At most ten minutes.',
  input: z.object({
    condition: word('ready, block:40, safe:3, finalized:1 or fork:NAME'),
    node: word('on this node only').optional(),
    timeout: input.duration.optional().describe('default: 60s'),
    devnet: input.devnet,
  }),
  controls: false,
  timeoutMs: 600_000,
  words: ({ condition, node, timeout, devnet }, networks) => [
    ...['wait', condition, ...(node === undefined ? [] : [`@${node}`])],
    ...[...option('timeout', timeout), ...networks.option(devnet)],
  ],
  next: { 3: '`status` for what stands in the way' },
});
