import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mustFit } from '../../../src/orchestrator/faults/checks.ts';
import { faultLines } from '../../../src/orchestrator/faults/describe.ts';
import { Faults } from '../../../src/orchestrator/faults/faults.ts';
import { Links } from '../../../src/orchestrator/faults/links.ts';
import { faultDocument } from '../../../src/orchestrator/faults/schema.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { FaultDocument, L1PoolFault } from '../../../src/orchestrator/state/faults.ts';
import { eventLines } from '../../../src/orchestrator/status/event-line.ts';
import type { ClockState } from '../../../src/system/time/clock.ts';
import { quickPlanOf } from '../plan/planned.ts';
import { three, twoChains } from './network.ts';

/** What the links were shaped to, by the ids of those that are not clean. */
class Shapes extends Links {
  ids: readonly string[] = [];
  override shape(...[shapes]: Parameters<Links['shape']>): void {
    this.ids = [...shapes.keys()];
  }
}

const START = 1_800_000_000_000;
let clock: ClockState;
let links: Shapes;
let faults: Faults;
let lines: string[];
let pooled: readonly L1PoolFault[];
let kept: FaultDocument | undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  clock = { at: START, wall: START, rate: 1 };
  links = new Shapes();
  lines = [];
  kept = undefined;
  faults = new Faults({
    ...{ links, plan: () => three, clock: () => clock },
    pool: (next) => {
      pooled = next;
    },
    emit: (event) => lines.push(...eventLines(event)),
    keep: (document) => {
      kept = document;
    },
  });
});
afterEach(() => {
  faults.close();
  vi.useRealTimers();
});

const delay = (target: string, id?: string) => ({
  shaping: { target, delay: 100, ...(id === undefined ? {} : { id }) },
});
const document = (value: unknown) => faultDocument.parse(value);

it('a fault is added with the next number and the time of the network, kept and told', () => {
  expect([faults.add(delay('b:engine')), faults.add({ partition: { groups: [['a'], ['b', 'late-one']] } })]).toEqual([
    '1',
    '2',
  ]);
  expect(kept).toEqual({
    partitions: [{ id: '2', since: START, groups: [['a'], ['b', 'late-one']] }],
    shaping: [{ id: '1', since: START, target: 'b:engine', delay: 100 }],
    rpc: [],
    pool: [],
  });
  expect(lines).toEqual([
    'fault       1 added: delay 100 ms b:engine',
    'fault       2 added: partition a | b,late-one',
  ]);
  expect(links.ids).toContain('link:main/b/cl>main/b/el:engine');
  expect(faults.causeOf('main/a/el')).toBe('fault 2: partition a | b,late-one');
  expect(faults.causeOf('main/late-one/cl')).toBe('fault 2: partition a | b,late-one');
  expect(faults.causeOf('main/batcher')).toBeUndefined();
});

it('a fault is healed once', () => {
  faults.add(delay('b:engine'));
  faults.add(delay('a:engine', 'mine'));
  expect(faults.heal(['1'])).toEqual(['1']);
  expect(links.ids).toEqual(['link:main/a/cl>main/a/el:engine']);
  const again = {
    code: 'fault',
    exit: 2,
    message: 'there is no fault 1',
    hint: expect.stringContaining('expected one of mine'),
  };
  expect(() => faults.heal(['1'])).toThrow(expect.objectContaining(again));
  expect(() => faults.heal(['mine', '1'])).toThrow('there is no fault 1');
  expect(faults.document.shaping).toHaveLength(1);
  expect(faults.heal('all')).toEqual(['mine']);
  expect(faults.heal('all')).toEqual([]);
  expect(links.ids).toEqual([]);
  expect(() => faults.heal(['mine'])).toThrow(expect.objectContaining({ hint: 'no fault stands' }));
});

it('a task is severed from its peers, or from more, by a cut and a drop alone', () => {
  const of = (task: string) => faults.severed(`main/${task}`);
  const tasks = ['a/cl', 'b/cl', 'b/el', 'batcher'];
  faults.add(delay('b'));
  expect(tasks.map(of)).toEqual([undefined, undefined, undefined, undefined]);
  const p2p = faults.add({ shaping: { target: 'a-b:p2p', drop: true, direction: 'ingress' } });
  expect(tasks.map(of)).toEqual(['peers', 'peers', undefined, undefined]);
  faults.add({ shaping: { target: 'b:engine', cut: true } });
  faults.add({ shaping: { target: 'batcher-l1', cut: true } });
  expect(tasks.map(of)).toEqual(['peers', 'more', undefined, 'more']);
  faults.heal([p2p]);
  expect(tasks.map(of)).toEqual([undefined, 'more', undefined, 'more']);
});

it('a fault that names nothing changes nothing', () => {
  faults.add(delay('b:engine'));
  for (const fault of [delay('c'), delay('a:engine', '1')]) expect(() => faults.add(fault)).toThrow();
  expect(() =>
    faults.apply(
      document({
        shaping: [
          { target: 'a', cut: true },
          { target: 'nobody', cut: true },
        ],
      }),
    ),
  ).toThrow();
  expect([faults.document.shaping.length, links.ids.length, lines.length]).toEqual([1, 1, 1]);
});

it('a fault with a time ends by itself when the clock of the network has passed it', () => {
  faults.add(delay('b:engine'), 5000);
  faults.add(delay('a:engine'), 200_000);
  vi.advanceTimersByTime(4990);
  expect(faults.document.shaping).toHaveLength(2);
  vi.advanceTimersByTime(20);
  expect(faults.document.shaping).toMatchObject([{ id: '2', until: START + 200_000 }]);
  vi.advanceTimersByTime(195_000);
  expect(faults.document.shaping).toEqual([]);
  expect(lines.at(-1)).toBe('fault       2 healed: delay 100 ms a:engine');
});

it('a fault on a clock that stands ends when the clock is moved past its time', () => {
  clock = { at: START, wall: START, rate: 0 };
  faults.add(delay('b:engine'), 5000);
  vi.advanceTimersByTime(60_000);
  faults.refresh();
  expect(faults.document.shaping).toHaveLength(1);
  clock = { ...clock, at: START + 5000 };
  faults.refresh();
  expect([faults.document.shaping, links.ids]).toEqual([[], []]);
});

it('a document replaces all faults, and what it repeats goes on with its times', () => {
  faults.add(delay('b:engine', 'stays'), 5000);
  faults.add(delay('a:engine', 'changes'));
  faults.add({ partition: { groups: [['a'], ['b', 'late-one']] } });
  lines = [];
  clock = { at: START + 1000, wall: START, rate: 1 };
  const before = faults.document;
  faults.apply(
    document({
      shaping: [
        { target: 'b:engine', delay: 100, id: 'stays', since: 1, until: 2 },
        { target: 'a:engine', delay: '200ms', id: 'changes' },
        { target: 'l1', drop: true },
      ],
    }),
  );
  expect(faults.document).toEqual({
    partitions: [],
    shaping: [
      { ...before.shaping[0] },
      { id: 'changes', since: START + 1000, target: 'a:engine', delay: 200 },
      { id: '2', since: START + 1000, target: 'l1', drop: true },
    ],
    rpc: [],
    pool: [],
  });
  expect(lines).toEqual([
    'fault       1 healed: partition a | b,late-one',
    'fault       changes healed: delay 100 ms a:engine',
    'fault       changes added: delay 200 ms a:engine',
    'fault       2 added: drop l1',
  ]);
  faults.apply(document(JSON.parse(JSON.stringify(faults.document))));
  expect(lines).toHaveLength(4);
});

it('a partition is the cause of what a slow link does not explain', () => {
  faults.add({ shaping: { target: 'a', delay: 100 } });
  expect(faults.causeOf('main/a/cl')).toContain('delay 100 ms a');
  faults.add({ partition: { groups: [['a'], ['b', 'late-one']] } });
  expect(faults.causeOf('main/a/cl')).toContain('partition a | b,late-one');
});

it('a document with one id twice is refused', () => {
  const twice = [1, 2].map((delay) => ({ target: 'a', delay, id: 'x' }));
  expect(() => faults.apply(document({ shaping: twice }))).toThrow('two faults have the id x');
});

it('a network without links says how to start it', () => {
  expect(() => mustFit(quickPlanOf('name: plain'), [delay('sequencer')])).toThrow(
    expect.objectContaining({
      ...{ code: 'fault', exit: 2, message: 'plain was started without links that can fail' },
      hint: 'start it with `faults: true` in its spec, or with `devnet up --set faults=true`',
    }),
  );
});

it('a network that runs elsewhere has no links, and says where it is disturbed', () => {
  const plan = quickPlanOf('name: team');
  const attached = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, launch: 'external' as const })) };
  expect(() => mustFit(attached, [delay('sequencer')])).toThrow(
    expect.objectContaining({
      ...{ code: 'fault', exit: 2, message: expect.stringMatching(/^team is attached: it runs elsewhere, without/) },
      hint: expect.stringMatching(/^disturb its machines there/),
    }),
  );
});

it('wrong answers keep the processes from the stepped clock that call for them, but for a finality that stands', () => {
  const rpc = { target: 'beacon', method: 'blob_sidecars', answer: 'missing-blob' } as const;
  const id = faults.add({ rpc });
  expect(faults.severed('main/b/cl')).toBe('more');
  expect(faults.severed('main/batcher')).toBeUndefined();
  expect(() => faults.add({ rpc })).toThrow(`blob_sidecars of beacon has the fault ${id} already`);
  faults.heal([id]);
  expect(faults.severed('main/b/cl')).toBeUndefined();
  const at = { safe: '0x5', finalized: '0x4' };
  faults.add({ rpc: { target: 'l1', method: 'eth_getBlockByNumber', answer: 'stale', at } });
  expect(faults.severed('main/b/cl')).toBeUndefined();
});

it.each([
  [{ target: 'beacon', method: 'blob_sidecars', answer: 'wrong-receipt' }, /wrong-receipt does not fit blob_sidecars/],
  [{ target: 'l1', method: 'eth_getBlockByNumber', answer: 'missing-blob' }, /missing-blob does not fit/],
  [{ target: 'l1', method: 'eth_chainId', answer: 'wrong-receipt' }, /expected one of eth_getBlockReceipts/],
  [{ target: 'l1', method: 'genesis', answer: 'error' }, /genesis is not a method of JSON-RPC/],
  [{ target: 'beacon', method: 'eth_chainId', answer: 'error' }, /eth_chainId is not in a path of a beacon node/],
  [{ target: 'c', method: 'eth_chainId', answer: 'error' }, /there is no node "c"/],
] as const)('a wrong answer that does not fit is refused: %o', (rpc, message) => {
  const refused = () => mustFit(three, [{ rpc }]);
  expect(refused).toThrow(expect.objectContaining({ code: 'fault', exit: 2 }));
  let text = '';
  try {
    refused();
  } catch (error) {
    const { message: what, hint = '' } = error as Error & { readonly hint?: string };
    text = `${what} ${hint}`;
  }
  expect(text).toMatch(message);
});

const HASH = `0x${'ab'.repeat(32)}`;
const batcherOf = ({ network }: Plan) => network.chains[0]!.accounts.find(({ role }) => role === 'batcher')!.address;

it('a fault of the pool is declared for its sender, and is over when it has met its transaction', () => {
  const from = batcherOf(three);
  faults.add({ pool: { action: 'drop', of: 'batcher' } });
  expect(kept?.pool).toEqual([{ id: '1', since: START, action: 'drop', of: 'batcher', from }]);
  expect(pooled).toEqual(kept?.pool);
  expect(faults.causeOf('main/batcher')).toBe('fault 1: drop the next transaction of batcher');
  expect(faults.causeOf('main/a/el')).toBeUndefined();
  faults.meet({ fault: '1', nonce: 4, isOver: true });
  expect([pooled, kept?.pool]).toEqual([[], []]);
  expect(lines).toEqual([
    'fault       1 added: drop the next transaction of batcher',
    'fault       1 done: drop the next transaction of batcher',
  ]);
});

it('a transaction that is held is named when it is known, and a document of it goes on', () => {
  faults.add({ pool: { action: 'hold', of: 'main/batcher', id: 'wait' } });
  faults.meet({ fault: 'wait', nonce: 4, isOver: false });
  const held = kept?.pool;
  expect(faultLines(faults.document, three, START)).toEqual([
    'wait hold transaction 4 of main/batcher  pool of L1, since 08:00:00 UTC',
  ]);
  clock = { at: START + 1000, wall: START, rate: 0 };
  faults.apply(document(JSON.parse(JSON.stringify(faults.document))));
  expect(faults.document.pool).toEqual(held);
  expect(faults.document.pool).toMatchObject([{ id: 'wait', nonce: 4, since: START }]);
  expect(faults.heal(['wait'])).toEqual(['wait']);
  expect(pooled).toEqual([]);
});

it('a transaction is held for epochs: to the first slot after them', () => {
  const slot = three.network.l1.blockTime * 1000;
  const genesis = three.genesisTime * 1000;
  clock = { at: genesis + 5 * slot + 1, wall: START, rate: 0 };
  faults.add({ pool: { action: 'hold', of: HASH, from: batcherOf(three), nonce: 3, epochs: 2 } });
  expect(pooled).toMatchObject([{ nonce: 3, until: genesis + (5 + 64 + 1) * slot }]);
  clock = { ...clock, at: genesis + 70 * slot - 1 };
  faults.refresh();
  expect(pooled).toHaveLength(1);
  clock = { ...clock, at: genesis + 70 * slot };
  faults.refresh();
  expect(pooled).toEqual([]);
});

it.each([
  ['batch', three, '"batch" names no transaction: expected the hash of a transaction, or batcher, proposer'],
  ['y/batcher', three, '"y/batcher" names no transaction'],
  ['0x12', three, '"0x12" names no transaction'],
  ['batcher', twoChains, 'several chains have a batcher'],
])('a fault of the pool that names no transaction is refused: %s', (of, plan, message) => {
  expect(() => mustFit(plan, [{ pool: { action: 'drop', of } }])).toThrow(
    expect.objectContaining({ code: 'fault', exit: 2, message: expect.stringContaining(message) }),
  );
});

it('a network without links has faults of the pool', () => {
  mustFit(quickPlanOf('name: plain'), [{ pool: { action: 'drop', of: 'batcher' } }]);
});

it('more faults of the pool than one message holds are refused', () => {
  for (let count = 0; count < 50; count++) faults.add({ pool: { action: 'drop', of: 'batcher' } });
  expect(() => faults.add({ pool: { action: 'drop', of: 'batcher' } })).toThrow('at most 50 faults');
  expect(faults.document.pool).toHaveLength(50);
});
