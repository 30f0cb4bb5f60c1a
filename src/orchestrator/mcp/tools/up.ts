import * as z from 'zod';
import { input, option } from '../inputs.ts';
import { tool } from '../tool.ts';

export const up = tool({
  name: 'up',
  title: 'Start a devnet',
  description: 'Starts the network of a spec, and returns its addresses when it is ready. It ends with this server.',
  input: z.object({
    spec: input.spec.optional(),
    name: input.own.describe('name of the new devnet; default: that of the spec'),
    from: input.own.describe('name of a snapshot to begin with'),
    ttl: input.duration.optional().describe('ends by itself after this time; default: 2h'),
  }),
  controls: true,
  timeoutMs: 300_000,
  words: ({ spec, name, from, ttl = '2h' }) => [
    ...['up', ...(spec === undefined ? [] : [spec]), '--detach'],
    ...[...option('ttl', ttl), ...option('name', name), ...option('from', from)],
  ],
  next: { 0: '`wait` for safe:1, `check`, `status`' },
  after({ code, text }, _, networks) {
    const name = /^(\S+) is ready/m.exec(text)?.[1];
    if (code === 0 && name !== undefined) networks.add(name);
  },
});
