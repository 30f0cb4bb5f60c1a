import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const check = tool({
  name: 'check',
  title: 'Compare all blocks',
  description: 'Compares every block on every node of a devnet. Says whether the nodes agree, or where they diverge.',
  input: z.object({ devnet: input.devnet }),
  controls: false,
  timeoutMs: 300_000,
  words: ({ devnet }, networks) => ['check', ...networks.option(devnet)],
  next: { 1: '`check_explain` for the cause of a divergence, `logs_search` for a process that has a problem' },
});
