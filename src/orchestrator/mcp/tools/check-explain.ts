import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const checkExplain = tool({
  name: 'check_explain',
  title: 'Explain a divergence',
  description: 'Gathers what differs where nodes diverge: fields, traces, and the fork times that would explain it.',
  input: z.object({ devnet: input.devnet }),
  controls: false,
  timeoutMs: 600_000,
  words: ({ devnet }, networks) => ['check', '--explain', ...networks.option(devnet)],
  next: { 1: '`block` or `tx` for what differs, `logs_search` on the node that left the others' },
});
