import * as z from 'zod/mini';

z.config({ jitless: true });

const block = z.object({ number: z.int(), hash: z.string() });
/** Unix milliseconds. */
const at = z.number();

/** What `devnet watch` prints: one object a line, told apart by `kind`. Keys and kinds are only ever added. */
export const networkEvent = z.discriminatedUnion('kind', [
  /** The newest block of a node. Blocks between two polls are passed over. */
  z.object({
    kind: z.literal('head'),
    at,
    chain: z.string(),
    node: z.string(),
    ...block.shape,
    /** Unix seconds. */
    time: z.number(),
  }),
  /** The head of a node has passed the activation time that this node has. */
  z.object({
    kind: z.literal('fork'),
    at,
    chain: z.string(),
    node: z.string(),
    fork: z.string(),
    /** The first block under its rules. */
    block: z.int(),
    time: z.number(),
  }),
  /** A node has left its chain: its head was reorganised or rewound. */
  z.object({ kind: z.literal('reorg'), at, chain: z.string(), node: z.string(), from: block, to: block }),
  /** A process stands still, does not answer, is down or is in the minority. */
  z.object({
    kind: z.literal('stall'),
    at,
    subject: z.string(),
    what: z.string(),
    since: z.number(),
    because: z.nullable(z.string()),
  }),
  /** A stall is over. */
  z.object({ kind: z.literal('recovery'), at, subject: z.string(), what: z.string(), since: z.number() }),
  z.object({
    kind: z.literal('divergence'),
    at,
    chain: z.string(),
    block: z.int(),
    /** The minority, or the nodes that differ from the sequencer where there is no majority. */
    nodes: z.array(z.string()),
    /** hash: another block. refused: one side refused it. */
    how: z.enum(['hash', 'refused']),
    /** Header fields that differ. */
    fields: z.array(z.string()),
    reason: z.string(),
    since: z.number(),
  }),
  /** The report of a divergence is written. */
  z.object({
    kind: z.literal('explanation'),
    at,
    chain: z.string(),
    block: z.int(),
    nodes: z.array(z.string()),
    /** Path of the report as text; the same path with `.json` is its document. */
    path: z.string(),
    /** Its first lines. */
    lines: z.array(z.string()),
  }),
  /** The nodes of a divergence have blocks in common with the others again. `block`: the newest of them. */
  z.object({ kind: z.literal('agreement'), at, chain: z.string(), block: z.int(), nodes: z.array(z.string()) }),
  z.object({ kind: z.literal('started'), at, task: z.string(), pid: z.nullable(z.int()) }),
  z.object({ kind: z.literal('ended'), at, task: z.string(), what: z.string() }),
  /** The phase of the network changed. */
  z.object({ kind: z.literal('phase'), at, phase: z.string() }),
]);
export type NetworkEvent = z.infer<typeof networkEvent>;
