import * as z from 'zod';
import { input } from '../inputs.ts';
import { tool } from '../tool.ts';

export const validate = tool({
  name: 'validate',
  title: 'Check a spec',
  description: 'All problems of a spec, each with its line, and what was expected. It starts nothing.',
  input: z.object({ spec: input.spec.optional() }),
  controls: false,
  timeoutMs: 60_000,
  words: ({ spec }) => ['validate', ...(spec === undefined ? [] : [spec])],
  next: { 2: 'correct the lines above; `explain` tells the values of a key' },
});
