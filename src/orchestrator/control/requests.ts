import * as z from 'zod/mini';
import { jsonField } from '../../rpc/json-object.ts';
import { count, duration, rate, time as unixTime } from '../../system/numbers/schema.ts';
import { faultDocument, givenFault } from '../faults/schema.ts';
import { planSchema } from '../plan/plan.ts';

z.config({ jitless: true });

const words = z.array(z.string());
const time = unixTime.check(z.positive());
/** A new plan of the network with its spec. */
const change = z.strictObject({
  plan: planSchema,
  spec: z.string(),
  /** SHA-256 of the spec that the change was planned from. Another change may have come first. */
  basis: z.string(),
});
export type PlanChange = z.infer<typeof change>;

const transaction = z.string().check(z.regex(/^0x[0-9a-f]{64}$/));

const id = z.int();
const tasks = words.check(z.minLength(1), z.maxLength(1000));

/** Every request of the control socket. Unknown keys are refused. */
const request = z.discriminatedUnion('method', [
  z.strictObject({ id, method: z.literal('state') }),
  z.strictObject({ id, method: z.literal('stop') }),
  z.strictObject({ id, method: z.literal('down'), keepData: z.boolean(), kill: z.optional(z.boolean()) }),
  z.strictObject({
    id,
    method: z.literal('node'),
    action: z.enum(['stop', 'start', 'restart', 'kill', 'pause', 'resume']),
    /** Ids of tasks. */
    tasks,
    /** With a restart: the change, kept for later starts. */
    change: z.optional(change),
    /** With a restart: rewinds the chains of stopped tasks to a block first. */
    rewind: z.optional(z.array(z.strictObject({ task: z.string(), block: count }))),
    /** With a restart: ids of tasks whose data is removed first. */
    empty: z.optional(words),
  }),
  /** Adds the nodes that only the changed plan has, and removes those that only the present one has. */
  z.strictObject({ id, method: z.literal('nodes'), change }),
  /** Gives the role of a chain's sequencer to the node that has it in the changed plan. */
  z.strictObject({ id, method: z.literal('sequencer'), chain: z.string(), change }),
  /**
   * Reads, stops, starts or moves the network's clock. `step`: to the next time at which a block is due. `settle`:
   * waits until all processes are done with the present time.
   */
  z.strictObject({
    id,
    method: z.literal('clock'),
    action: z.enum(['read', 'pause', 'resume', 'step', 'settle', 'end']),
  }),
  /** Moves the network's clock to a time (Unix ms), slot by slot. */
  z.strictObject({ id, method: z.literal('warp'), to: time }),
  /** Sets how far (ms) the clocks of tasks are ahead of the network's; 0 ends that. */
  z.strictObject({ id, method: z.literal('skew'), tasks, ms: z.int() }),
  /** Sets the network's clock to a time (Unix ms) and a rate at once. Slots in between may stay empty. */
  z.strictObject({
    id,
    method: z.literal('jump'),
    to: time,
    rate,
  }),
  /**
   * Copies the data of all processes to a new folder, or puts those of such a folder in place.
   * `at`: time of the network's clock in it (Unix ms). `spec`: SHA-256 of the spec that it belongs to.
   */
  z.strictObject({
    id,
    method: z.literal('snapshot'),
    action: z.enum(['take', 'revert']),
    folder: z.string().check(z.minLength(1)),
    at: z.optional(time),
    spec: z.optional(z.string()),
    /** The moment that the processes hold themselves beside the data of the folder. */
    point: z.optional(z.int().check(z.positive())),
  }),
  /**
   * Stalls L1, for some time (ms) of the network's clock or until it is resumed. `wait`: until no stall is under way.
   */
  z.strictObject({
    id,
    method: z.literal('l1'),
    action: z.enum(['stall', 'resume', 'wait']),
    ms: z.optional(duration.check(z.positive())),
  }),
  /** Replaces the newest blocks of L1, without some of their transactions. */
  z.strictObject({
    id,
    method: z.literal('reorg'),
    depth: count.check(z.positive()),
    drop: z.array(transaction).check(z.maxLength(20)),
  }),
  /**
   * Reads, adds, heals or replaces the faults of the network. `add`: one, which ends after `forMs` of the network's
   * clock. `heal`: those of these ids, or all. `apply`: all that stand are replaced.
   */
  z.discriminatedUnion('action', [
    z.strictObject({ id, method: z.literal('faults'), action: z.literal('read') }),
    z.strictObject({
      id,
      method: z.literal('faults'),
      action: z.literal('add'),
      fault: givenFault,
      forMs: z.optional(duration.check(z.positive())),
    }),
    z.strictObject({ id, method: z.literal('faults'), action: z.literal('heal'), ids: z.optional(words) }),
    z.strictObject({ id, method: z.literal('faults'), action: z.literal('apply'), document: faultDocument }),
  ]),
  /** Answers with every event from now on, until the connection ends. */
  z.strictObject({ id, method: z.literal('events') }),
  /** The same for events of the chains: first those that describe the present, then each new one. */
  z.strictObject({ id, method: z.literal('watch') }),
  /** The same for marks of blocks. While a connection asks for them, the processes report them. */
  z.strictObject({ id, method: z.literal('marks') }),
]);

/** A request of the control socket. */
export type Request = z.infer<typeof request>;

/** A request about snapshots. */
export type SnapshotRequest = Extract<Request, { method: 'snapshot' }>;

/** A request about processes. */
export type NodeRequest = Extract<Request, { method: 'node' }>;

/** A request that skews the clocks of tasks. */
export type SkewRequest = Extract<Request, { method: 'skew' }>;

/** A request that adds or removes nodes. */
export type NodeSetRequest = Extract<Request, { method: 'nodes' }>;
/** A request about faults of links. */
export type FaultsRequest = Extract<Request, { method: 'faults' }>;

/** A request that moves the role of a sequencer. */
export type SequencerRequest = Extract<Request, { method: 'sequencer' }>;

/** What a request does with the network's clock. */
export type ClockAction = Extract<Request, { method: 'clock' }>['action'];

/** A request for events, which has no single answer. */
export type EventsRequest = Extract<Request, { method: 'events' | 'watch' | 'marks' }>;

/** A request that is answered once. */
export type AnsweredRequest = Exclude<Request, EventsRequest>;

type Method = AnsweredRequest['method'];

type RequestOf<M extends Method> = Extract<AnsweredRequest, { method: M }>;

/**
 * What answers the requests of each method, after its schema has parsed them. `gone` is aborted when the connection of
 * the request ends. A handler throws Failure or Error.
 */
export type Handlers = {
  readonly [M in Method]: (request: RequestOf<M>, gone: AbortSignal) => Promise<unknown>;
};

/** Answers a request of a method by its handler. */
export function handle<M extends Method>(
  handlers: Handlers,
  method: M,
  request: RequestOf<M>,
  ending: AbortSignal,
): Promise<unknown> {
  return handlers[method](request, ending);
}

export type ParsedRequest =
  | { readonly ok: true; readonly request: Request }
  /** `id` is 0 if the request has none. */
  | { readonly ok: false; readonly id: number; readonly problem: string };

/** Parses a request. Any process of this user may have sent it. */
export function parseRequest(value: unknown): ParsedRequest {
  const parsed = request.safeParse(value);
  if (parsed.success) return { ok: true, request: parsed.data };
  const number = jsonField(value, 'id');
  const [issue] = parsed.error.issues;
  return {
    ok: false,
    id: typeof number === 'number' && Number.isSafeInteger(number) ? number : 0,
    problem: `malformed request: ${issue === undefined ? 'not understood' : problemOf(issue)}`,
  };
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `unknown key ${issue.keys.join(', ')}`;
  const place = issue.path.length === 0 ? 'the request' : issue.path.join('.');
  if (issue.code === 'invalid_type') return `${place}: expected ${issue.expected}`;
  if (issue.code === 'invalid_value') return `${place}: expected ${issue.values.join(' or ')}`;
  return `${place}: ${issue.message}`;
}
