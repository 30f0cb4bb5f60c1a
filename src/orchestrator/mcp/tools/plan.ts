import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const plan = tool({
  name: 'plan',
  title: 'What a spec would start',
  description:
    'The processes that `up` would start for a spec, with their command lines; or those of a devnet by name.',
  input: z.object({ spec: input.spec.optional(), devnet: input.devnet }),
  controls: false,
  timeoutMs: 60_000,
  words: ({ spec, devnet }, networks) => [...['plan', ...(spec === undefined ? networks.option(devnet) : [spec])]],
});
