import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const node = tool({
  name: 'node',
  title: 'Stop, start or restart a node',
  description: 'Stops, starts, kills, suspends, resumes, empties or restarts the processes of a node.',
  input: z.object({
    action: z.enum(['stop', 'start', 'kill', 'pause', 'resume', 'restart', 'reset']),
    node: input.node,
    override: z
      .array(z.string().regex(/^[a-z0-9]+=\S+$/))
      .max(20)
      .optional()
      .describe('with restart: fork times of this node alone, as FORK=+60s, FORK=never, FORK=chain'),
    devnet: input.own,
  }),
  controls: true,
  timeoutMs: 180_000,
  words: ({ action, node: name, override = [], devnet }, networks) => [
    ...['node', action, name, ...override.map((each) => `--override=${each}`)],
    ...networks.ownOption(devnet),
  ],
  next: { 0: '`status` for the heads after it' },
});
