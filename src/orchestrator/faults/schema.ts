import * as z from 'zod/mini';
import { parseDuration } from '../../system/program/options.ts';
import { choice, key, whole, withDescription } from '../spec/schema/words.ts';
import { DIRECTIONS, type FaultDocument, POOL_ACTIONS, RPC_ANSWERS } from '../state/faults.ts';

z.config({ jitless: true });

/** Faults of L1's pool at a time: their ids are in one message to l1-beacon. */
export const MOST_POOL_FAULTS = 50;

const MOST_MS = 3_600_000;
const MS = 'milliseconds, or a duration such as 200ms, from 1ms to 1h';
const PERCENT = 'a number above 0, at most 90';
const KBPS = 'kilobits per second, from 1 to 10000000';

const ms = z
  .union(
    [
      z.number(),
      z.codec(z.string(), z.number(), { decode: (text) => parseDuration(text) ?? Number.NaN, encode: String }),
    ],
    MS,
  )
  .check(z.gte(1, MS), z.lte(MOST_MS, MS));

const word = z.string('text').check(z.minLength(1, 'text that is not empty'));
const time = z.exactOptional(z.number());
/** Times of a document that was read are of no account when it is applied. */
const standing = {
  id: key(
    z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,38}$/, 'lower-case letters, digits and dashes, at most 39')),
    'its name; default: a number',
  ),
  since: time,
  until: time,
};

/** A partition, without its times. */
export const partition = z.strictObject({
  ...standing,
  groups: withDescription(
    z.array(z.array(word).check(z.minLength(1, 'a node'))).check(z.minLength(2, 'at least two groups')),
    'groups of nodes; each node of a chain is in one group',
  ),
});

const SHAPES = ['delay', 'jitter', 'loss', 'bandwidth', 'cut', 'drop'] as const;

/** The keys by which links are shaped. */
export const shapes = {
  delay: key(ms, 'the time that bytes are late'),
  jitter: key(ms, 'largest deviation from the delay; the order of bytes stays'),
  loss: key(
    z.number(PERCENT).check(z.gt(0, PERCENT), z.lte(90, PERCENT)),
    'percent of segments: TCP stalls by a retransmission timeout for each',
  ),
  bandwidth: key(z.number(KBPS).check(z.gte(1, KBPS), z.lte(10_000_000, KBPS)), 'kilobits per second'),
  direction: key(choice(...DIRECTIONS), 'egress: from the target (of A-B: from A to B), ingress: to it'),
  cut: key(z.literal(true, 'true'), 'connections end, and new ones are refused'),
  drop: key(z.literal(true, 'true'), 'connections stand, and no byte passes'),
};

/** A shaping, without its times. */
export const shaping = z
  .strictObject({
    ...standing,
    target: withDescription(word, 'NODE, A-B, l1, beacon, batcher, proposer; each with :LINK'),
    ...shapes,
  })
  .check(
    z.refine((value) => SHAPES.some((name) => value[name] !== undefined), `at least one of ${SHAPES.join(', ')}`),
    z.refine(
      ({ cut, direction = 'both' }) => cut === undefined || direction === 'both',
      'a cut has no direction: connections have two',
    ),
  );

/** Wrong answers, without their times. */
export const rpc = z.strictObject({
  ...standing,
  target: withDescription(word, 'NODE, l1 or beacon'),
  method: withDescription(word, 'a method of JSON-RPC; with beacon a word of a path, such as blob_sidecars'),
  answer: withDescription(choice(...RPC_ANSWERS), 'what is answered in place of the right answer'),
  at: key(z.record(word, z.string()), 'with stale: the block that a tag has'),
});

/** A fault of L1's pool, without its times. */
export const pool = z
  .strictObject({
    ...standing,
    action: withDescription(choice(...POOL_ACTIONS), 'what becomes of a transaction that waits on L1'),
    of: withDescription(word, 'its hash; or batcher, proposer or CHAIN/batcher for its next one'),
    epochs: key(whole(1, 1000), 'with hold: so many epochs of 32 slots; default: until it is healed'),
    from: z.exactOptional(z.string()),
    nonce: z.exactOptional(z.number()),
  })
  .check(z.refine(({ action, epochs }) => epochs === undefined || action === 'hold', 'epochs goes with hold'));

/** The faults of a network as one document. */
export const faultDocument = z.strictObject({
  partitions: z._default(z.array(partition), []),
  shaping: z._default(z.array(shaping), []),
  rpc: z._default(z.array(rpc), []),
  pool: z._default(z.array(pool).check(z.maxLength(MOST_POOL_FAULTS, 'at most 50 faults of the pool')), []),
});

/** A document as a user gives it. */
export type GivenDocument = z.output<typeof faultDocument>;

/** A fault as a request gives it. */
export const givenFault = z.union([
  z.strictObject({ partition }),
  z.strictObject({ shaping }),
  z.strictObject({ rpc }),
  z.strictObject({ pool }),
]);

/** Whether a document that the supervisor sent has the form of one. */
export const standingFaults: z.ZodMiniType<FaultDocument> = z.custom<FaultDocument>(
  (value) => faultDocument.safeParse(value).success,
  'faults',
);
