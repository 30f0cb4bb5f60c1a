import { expect, it } from 'vitest';
import type { NetworkEvent } from '../../../src/orchestrator/state/network-event-type.ts';
import { networkEvent } from '../../../src/orchestrator/status/network-event.ts';

/** The values of a field of one kind of event, which the type checker holds to be all. */
type All<Kind extends NetworkEvent['kind'], Field extends string> =
  Extract<NetworkEvent, { kind: Kind }> extends infer Event
    ? Field extends keyof Event
      ? Record<Event[Field] & string, true>
      : never
    : never;

const FAULT_STATES: All<'fault', 'state'> = { added: true, healed: true, done: true };
const DIVERGENCES: All<'divergence', 'how'> = { hash: true, refused: true };

const from = { number: 4, hash: '0x04' };
const [at, chain, node, nodes] = [1, 'main', 'verifier', ['verifier']];
const place = { chain, node };

/** Each kind of event. */
const EVENTS: { readonly [Kind in NetworkEvent['kind']]: readonly Extract<NetworkEvent, { kind: Kind }>[] } = {
  head: [{ kind: 'head', at, ...place, ...from, time: 7 }],
  fork: [{ kind: 'fork', at, ...place, fork: 'isthmus', block: 4, time: 7 }],
  reorg: [{ kind: 'reorg', at, ...place, from, to: { number: 5, hash: '0x05' } }],
  stall: [null, 'it is stopped'].map((because) => ({
    kind: 'stall',
    at,
    subject: 'l1',
    what: 'stands',
    since: 1,
    because,
  })),
  recovery: [{ kind: 'recovery', at, subject: 'l1', what: 'stands', since: 1 }],
  divergence: (Object.keys(DIVERGENCES) as (keyof typeof DIVERGENCES)[]).map((how) => ({
    ...{ kind: 'divergence', at, chain, block: 4, nodes, how, fields: ['stateRoot'], reason: 'r', since: 1 },
  })),
  explanation: [{ kind: 'explanation', at, chain, block: 4, nodes, path: '/report', lines: ['a line'] }],
  agreement: [{ kind: 'agreement', at, chain, block: 4, nodes }],
  started: [null, 7].map((pid) => ({ kind: 'started', at, task: 'l1', pid })),
  ended: [{ kind: 'ended', at, task: 'l1', what: 'ended with code 1' }],
  fault: (Object.keys(FAULT_STATES) as (keyof typeof FAULT_STATES)[]).map((state) => ({
    ...{ kind: 'fault', at, id: '1', what: 'a delay', state },
  })),
  phase: [{ kind: 'phase', at, phase: 'ready' }],
};

it.each(
  Object.values(EVENTS)
    .flat()
    .map((event) => [event.kind, event] as const),
)('watch --json prints each event of kind %s whole: %j', (_, event) => {
  expect(networkEvent.parse({ ...event, more: 1 })).toEqual(event);
});

it.each(
  Object.values(EVENTS).flatMap(([event]) =>
    event === undefined
      ? []
      : Object.keys(event).map((key) => [event.kind, key, { ...event, [key]: undefined }] as const),
  ),
)('an event of kind %s without its %s is none', (_, __, event) => {
  expect(networkEvent.safeParse(event).success).toBe(false);
});
