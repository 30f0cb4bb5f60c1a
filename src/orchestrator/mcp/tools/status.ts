import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const status = tool({
  name: 'status',
  title: 'Status of a devnet',
  description: 'Heads of every node, state of every process, faults, and problems with their causes.',
  input: z.object({ devnet: input.devnet }),
  controls: false,
  timeoutMs: 60_000,
  words: ({ devnet }, networks) => ['status', ...networks.option(devnet)],
});
