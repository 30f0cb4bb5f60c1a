import * as z from 'zod';
import { input, option } from '../inputs.ts';
import { tool } from '../tool.ts';

export const logsSearch = tool({
  name: 'logs_search',
  title: 'Search the logs',
  description:
    'Lines of the logs of all processes, merged by time, that match a pattern. Long answers lose their middle.',
  input: z.object({
    pattern: z.string().min(1).max(500).describe('a regular expression, for example error|warn'),
    node: input.node.optional(),
    since: input.duration.optional().describe('only lines of the last 30s, 5m, 1h'),
    devnet: input.devnet,
  }),
  controls: false,
  timeoutMs: 60_000,
  words: ({ pattern, node, since, devnet }, networks) => [
    ...['logs', ...(node === undefined ? [] : [node])],
    ...[...option('grep', pattern), ...option('since', since), ...networks.option(devnet)],
  ],
});
