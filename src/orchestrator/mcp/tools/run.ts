import * as z from 'zod';
import { input, option } from '../inputs.ts';
import { tool } from '../tool.ts';

export const run = tool({
  name: 'run',
  title: 'Run a scenario',
  description:
    'Starts the network of a scenario, runs its steps, reports each, and tears it down; or runs them on a devnet.',
  input: z.object({
    scenario: input.spec.describe('path of a scenario, or name of a sample such as missed-fork'),
    on: input.own.describe('name of a devnet that is up, which stays'),
  }),
  controls: true,
  timeoutMs: 1_200_000,
  words: ({ scenario, on }) => ['run', scenario, ...option('on', on)],
  next: { 1: 'the first step that failed says why' },
});
