import * as z from 'zod/mini';
import { FORK_NAMES } from '../spec/forks.ts';
import { parseSeconds } from '../spec/values.ts';

const choice = <const V extends readonly [string, ...string[]]>(...values: V) => z.enum(values, values.join(', '));
const text = z.string('text');
const value = z.union([text, z.number(), z.boolean()]);
const argument = z.union([text, z.number(), z.boolean(), z.null(), z.array(text)]);
const args = z.optional(z.record(text, argument));
const env = z.optional(z.record(text, value));
const says = z.optional(text);
const expect = z.optional(z.record(text, z.union([value, z.null()])));

const step = { command: z.optional(z.array(text)), args };
const need = z.optional(choice('spawned', 'ready'));
const override = z.union([choice('chain-file', 'none'), z.strictObject({ flag: text })]);
const probe = z.union([
  z.strictObject({ rpc: text, method: text, params: z.optional(z.array(z.unknown())), expect, says }),
  z.strictObject({ http: text, status: z.optional(z.int()), expect, says }),
  z.strictObject({ tcp: text, says }),
  z.strictObject({ log: text, says }),
  z.strictObject({ height: text, atLeast: z.optional(z.int()), says }),
  z.strictObject({ peers: text, says }),
]);

const isDuration = z.refine((words) => parseSeconds(String(words)) !== undefined, 'a duration such as 5s');
const duration = z.optional(z.string('a duration such as 5s').check(isDuration));

/** The shape of a template as it is written. */
export const templateSchema = z.strictObject({
  kind: choice('l1', 'beacon', 'el', 'cl', 'batcher', 'proposer'),
  implementation: text,
  engineKind: z.optional(choice('geth', 'reth', 'erigon')),
  runs: z.strictObject({ embedded: z.optional(text), process: z.optional(z.union([text, z.null()])) }),
  booleans: z.optional(choice('bare', 'value')),
  command: z.optional(z.array(text)),
  args,
  env,
  refuses: z.optional(z.record(text, text)),
  sequencer: z.optional(z.strictObject({ args, env })),
  verifier: z.optional(z.strictObject({ args, env })),
  prepare: z.optional(z.array(z.strictObject({ ...step, operands: z.optional(z.array(text)) }))),
  rewind: z.optional(z.strictObject(step)),
  ports: z.record(
    z.string().check(z.regex(/^[a-z][a-zA-Z0-9]*$/, 'letters and digits')),
    z.union([
      choice('tcp', 'udp'),
      z.strictObject({
        transport: z.optional(choice('tcp', 'udp')),
        offset: z.optional(z.int()),
        with: z.optional(text),
        without: z.optional(text),
      }),
    ]),
  ),
  needs: z.optional(z.strictObject({ l1: need, beacon: need, el: need, cl: need })),
  forks: z.optional(
    z.strictObject({
      override: z.optional(override),
      ...Object.fromEntries(FORK_NAMES.map((fork) => [fork, z.optional(override)])),
    }),
  ),
  upgradeBundles: z.optional(choice('directory', 'builtin', 'none')),
  until: z.optional(choice(...(FORK_NAMES as unknown as [string, ...string[]]))),
  clock: choice('network', 'wall', 'none'),
  pace: z.optional(z.strictObject({ l1Blocks: text, atLeast: duration })),
  ready: z.array(probe),
  live: z.optional(z.array(probe)),
  stop: z.strictObject({
    signal: z.optional(choice('SIGTERM', 'SIGINT', 'SIGQUIT')),
    grace: z.string('a duration such as 5s').check(isDuration),
  }),
});
