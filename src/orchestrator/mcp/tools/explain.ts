import * as z from 'zod';
import { word } from '../inputs.ts';
import { tool } from '../tool.ts';

export const explain = tool({
  name: 'explain',
  title: 'Explain a key or a code',
  description: 'Explains a key of the spec (with its values and default), an error code, or an exit code.',
  input: z.object({ word: word('chains.main.batcher.da, blockTime, an error code such as port, or an exit code') }),
  controls: false,
  timeoutMs: 30_000,
  words: ({ word: key }) => ['explain', key],
});
