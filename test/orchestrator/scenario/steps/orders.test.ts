import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StepKind } from '../../../../src/orchestrator/scenario/step.ts';
import { batcher } from '../../../../src/orchestrator/scenario/steps/batcher.ts';
import { clock } from '../../../../src/orchestrator/scenario/steps/clock.ts';
import { fault } from '../../../../src/orchestrator/scenario/steps/fault.ts';
import { l1 } from '../../../../src/orchestrator/scenario/steps/l1.ts';
import { node } from '../../../../src/orchestrator/scenario/steps/node.ts';
import { proposer } from '../../../../src/orchestrator/scenario/steps/proposer.ts';
import { warp } from '../../../../src/orchestrator/scenario/steps/warp.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { L1_FINALITY, NO_FAULTS } from '../../../../src/orchestrator/state/faults.ts';
import { twoChains } from '../read/two-chains.ts';
import { scriptedClient } from '../scripted-run.ts';
import { type Answers, type ServedDevnet, servedDevnet, standingTime } from '../served-devnet.ts';

const HASH = `0x${'AB'.repeat(32)}`;
const POSTER = `0x${'33'.repeat(20)}` as const;
const ACCOUNTS = [{ address: POSTER, role: 'batcher' as const }];
const LINKS = [
  ['main/a/cl', 'l1', 'rpc'],
  ['main/a/cl', 'main/b/cl', 'p2p'],
].map(([from = '', to = '', port = '']) => ({
  ...{ id: `link:${from}>${to}:${port}`, from, to, port, transport: 'tcp' as const },
  ...{ listen: { host: '127.0.0.1', port: 1 }, target: { host: '127.0.0.1', port: 2 } },
}));

let devnet: ServedDevnet;
beforeEach(async () => {
  devnet = await servedDevnet(() => ({ ...twoChains({ accounts: ACCOUNTS }, { l1: { kind: 'l1' } }), links: LINKS }));
});
afterEach(() => devnet[Symbol.asyncDispose]());

/** Runs a step, and returns its evidence with what the supervisor was asked for. */
async function run(kind: StepKind, value: Json, answers: Answers = {}) {
  devnet.answers = answers;
  const events: string[] = [];
  const time = standingTime({
    settle: async () => void events.push('settled'),
    warp: async (request) => ({ ...request }),
  });
  const evidence = await kind.run(value, devnet.run({ time }));
  return { evidence, asked: devnet.asked, events };
}

describe('a step that orders an action', () => {
  it.each<[string, Json, StepKind, string, string]>([
    ['of a task', { stop: 'a.cl' }, node, 'stop', 'main/a/cl stopped'],
    ['of a task', { start: 'main/batcher' }, node, 'start', 'main/batcher started'],
    ['of a task', { kill: 'main/batcher' }, node, 'kill', 'main/batcher killed'],
    ['of a task', { pause: 'main/b/el' }, node, 'pause', 'main/b/el paused'],
    ['of a task', { resume: 'main/b/el' }, node, 'resume', 'main/b/el resumed'],
    ['of the first batcher', 'stop', batcher, 'stop', 'main/batcher stopped'],
    ['of the batcher of a chain', { do: 'kill', chain: 'main' }, batcher, 'kill', 'main/batcher killed'],
    ['of the first proposer', 'pause', proposer, 'pause', 'main/proposer paused'],
    ['of the proposer of a chain', { do: 'resume', chain: 'main' }, proposer, 'resume', 'main/proposer resumed'],
  ])('%s asks for it, says what it did, and settles: %j', async (_, value, kind, action, said) => {
    const [task] = said.split(' ');
    expect(await run(kind, value)).toEqual({
      evidence: { said: [said] },
      asked: [{ method: 'node', action, tasks: [task] }],
      events: ['settled'],
    });
  });

  it('names the tasks that needed none', async () => {
    const { evidence } = await run(node, { stop: 'b' }, { node: () => ({ tasks: ['main/b/el'] }) });
    expect(evidence).toEqual({ said: ['main/b/el stopped', 'not running: main/b/cl'] });
  });

  it('restarts the processes of a node when it has no changes', async () => {
    expect(await run(node, { restart: 'b' })).toMatchObject({
      evidence: { said: ['main/b/el, main/b/cl restarted'] },
      asked: [{ method: 'node', action: 'restart', tasks: ['main/b/el', 'main/b/cl'] }],
    });
    expect(devnet.asked[0]).not.toHaveProperty('empty');
  });

  it('restarts the batcher by default', async () => {
    for (const value of ['restart', {}] as const)
      expect((await run(batcher, value)).evidence).toEqual({ said: ['main/batcher restarted'] });
  });

  it.each([{ reset: 'b.el' }, { restart: 'b.el', reset: true }])(
    'empties the data when it is a reset: %j',
    async (value) => {
      const of = { chain: 'main', node: 'b' };
      const others = { 'main/b/el': { kind: 'el', ...of }, 'main/b/cl': { kind: 'cl', ...of } } as const;
      await devnet[Symbol.asyncDispose]();
      devnet = await servedDevnet(() => twoChains({}, others));
      const { evidence, asked } = await run(node, value);
      expect(evidence).toEqual({ said: ['main/b/el emptied; main/b/el, main/b/cl restarted'] });
      expect(asked).toEqual([
        { method: 'node', action: 'restart', tasks: ['main/b/el', 'main/b/cl'], empty: ['main/b/el'] },
      ]);
    },
  );
});

it.each<[Record<string, Json>, boolean]>([
  [{ stop: 'b' }, true],
  [{ add: 'new' }, true],
  [{ reset: 'b' }, true],
  [{ restart: 'b', reset: true }, true],
  [{}, false],
  [{ reset: true }, false],
  [{ stop: 'b', start: 'b' }, false],
  [{ restart: 'b', reset: 'b' }, false],
  [{ add: 'new', remove: 'b' }, false],
])('a step of a node takes exactly one thing to do, %j: %s', (value, isTaken) => {
  expect(node.schema.safeParse(value).success).toBe(isTaken);
});

describe('a step of the clock', () => {
  it.each<[string | number, number, string]>([
    ['+10s', 10_000, 'the clocks of main/a/el, main/a/cl: 10 s ahead'],
    ['-1500ms', -1500, 'the clocks of main/a/el, main/a/cl: 1.5 s behind'],
    [0, 0, "the network's clock goes for main/a/el, main/a/cl again"],
  ])('skews a node by %s', async (by, ms, said) => {
    const { evidence, asked } = await run(clock, { skew: 'a', by });
    expect(asked).toEqual([{ method: 'skew', tasks: ['main/a/el', 'main/a/cl'], ms }]);
    expect(evidence).toEqual({ said: [said] });
  });

  it.each(['10s', '+', 'x', '+0.0001', 1, {}, null, '+2d'])('refuses the skew %j', (by) => {
    expect(clock.schema.safeParse({ skew: 'a', by }).success).toBe(false);
  });

  it.each<[Json, object]>([
    ['+30s', { to: '+30s', past: false, chain: undefined }],
    [
      { to: 'fork:isthmus', past: true, chain: 'main' },
      { to: 'fork:isthmus', past: true, chain: 'main' },
    ],
  ])('warps to %j', async (value, request) => {
    expect((await run(warp, value)).evidence).toEqual(request);
  });

  it.each(['30s', 'block:5', ' +3s', '+x'])('refuses the short warp %j', (value) => {
    expect(warp.schema.safeParse(value).success).toBe(false);
  });
});

describe('a step of faults', () => {
  it.each<[Json, object, number | undefined]>([
    [{ partition: [['a'], ['b']] }, { partition: { groups: [['a'], ['b']] } }, undefined],
    [
      { partition: [['a'], ['b']], id: 'split', for: '3s' },
      { partition: { groups: [['a'], ['b']], id: 'split' } },
      3000,
    ],
    [{ target: 'a:l1', cut: true, as: 'x' }, { shaping: { target: 'a:l1', cut: true } }, undefined],
    [{ target: 'l1', delay: '100ms', id: 'slow' }, { shaping: { target: 'l1', delay: 100, id: 'slow' } }, undefined],
    [
      { rpc: 'l1', method: 'eth_call', answer: 'error', id: 'w' },
      { rpc: { target: 'l1', method: 'eth_call', answer: 'error', id: 'w' } },
      undefined,
    ],
  ])('adds the fault of %j', async (value, wish, forMs) => {
    const { evidence, asked } = await run(fault, value, { faults: () => ({ faults: NO_FAULTS, ids: ['7'] }) });
    expect(asked).toMatchObject([{ method: 'faults', action: 'add' }]);
    expect(asked[0]).toHaveProperty('fault');
    expect(JSON.parse(JSON.stringify(asked[0]))).toMatchObject({ fault: wish });
    expect('forMs' in asked[0]! ? asked[0].forMs : undefined).toBe(forMs);
    expect(evidence).toEqual({ id: '7', fault: expect.stringMatching(/\w/) });
  });

  it('heals all faults, or one that stands', async () => {
    const healed = { faults: () => ({ faults: NO_FAULTS, ids: ['1', '2'] }) };
    expect(await run(fault, { heal: 'all' }, healed)).toMatchObject({
      evidence: { healed: ['1', '2'] },
      asked: [{ method: 'faults', action: 'heal' }],
    });
    expect(devnet.asked.pop()).not.toHaveProperty('ids');
    await expect(run(fault, { heal: '5' }, healed)).rejects.toThrow('there is no fault 5');
    const standing = { ...NO_FAULTS, partitions: [{ id: '5', since: 1, groups: [['a'], ['b']] }] };
    const one = { faults: () => ({ faults: standing, ids: ['5'] }) };
    expect((await run(fault, { heal: '5' }, one)).evidence).toEqual({ healed: ['5'] });
    expect(devnet.asked.at(-1)).toEqual({ method: 'faults', action: 'heal', ids: ['5'] });
  });

  it.each<[Record<string, Json>, boolean]>([
    [{ heal: 'all' }, true],
    [{ partition: [['a'], ['b']] }, true],
    [{ rpc: 'l1', method: 'eth_call', answer: 'error' }, true],
    [{}, false],
    [{ id: 'a' }, false],
    [{ heal: 'all', partition: [['a'], ['b']] }, false],
    [{ heal: 'all', target: 'l1' }, false],
    [{ rpc: 'l1' }, false],
    [{ rpc: 'l1', method: 'eth_call' }, false],
    [{ rpc: 'l1', answer: 'error' }, false],
    [{ target: 'l1', method: 'eth_call' }, false],
    [{ target: 'l1', answer: 'error' }, false],
  ])('takes exactly one kind of fault, %j: %s', (value, isTaken) => {
    expect(fault.schema.safeParse(value).success).toBe(isTaken);
  });
});

describe('a step of L1', () => {
  it('stalls it and resumes it', async () => {
    expect(await run(l1, 'stall')).toMatchObject({ evidence: {}, asked: [{ method: 'l1', action: 'stall' }] });
    expect(devnet.asked.pop()).not.toHaveProperty('ms');
    expect((await run(l1, 'resume')).asked).toEqual([{ method: 'l1', action: 'resume' }]);
  });

  it('stalls it for a time, and waits until the stall is over', async () => {
    const stalled = { l1: () => ({ stalled: { since: 1, until: 3000 } }) };
    const { evidence, asked } = await run(l1, { stall: '3s' }, stalled);
    expect(evidence).toEqual({ until: 3000 });
    expect(asked).toEqual([
      { method: 'l1', action: 'stall', ms: 3000 },
      { method: 'l1', action: 'wait' },
    ]);
  });

  it.each([
    [3000, [1000, 1000, 1000]],
    [3001, [1000, 1000, 1000, 1000]],
    [null, []],
  ])('stalls it until %j of a stepped network, which passes meanwhile', async (until, passed) => {
    devnet.answers = { l1: () => ({ stalled: { since: 1, until } }) };
    const time = standingTime({ kind: 'stepped' });
    expect(await l1.run({ stall: '1s' }, devnet.run({ time }))).toEqual({ until });
    expect(time.passed).toEqual(passed);
    expect(devnet.asked).toHaveLength(1);
  });

  it('fails when the network ends while it stalls', async () => {
    devnet.answers = { l1: () => ({ stalled: { since: 1, until: 2 } }) };
    const signal = AbortSignal.abort(new Error('the network has ended'));
    await expect(l1.run({ stall: '1s' }, devnet.run({ time: standingTime(), signal }))).rejects.toThrow('has ended');
  });

  it('replaces its newest blocks, without transactions, and settles', async () => {
    const { evidence, asked, events } = await run(l1, { reorg: 2, drop: [HASH] });
    expect(asked).toEqual([{ method: 'reorg', depth: 2, drop: [HASH.toLowerCase()] }]);
    expect(evidence).toEqual({
      ...{ common: { number: 1, hash: '0x01' }, from: { number: 3, hash: '0x03' }, to: { number: 2, hash: '0x02' } },
      ...{ sent: 0, refused: 0 },
    });
    expect(events).toEqual(['settled']);
    expect((await run(l1, { reorg: 1 })).asked.at(-1)).toEqual({ method: 'reorg', depth: 1, drop: [] });
  });

  it.each([
    [
      { pool: 'drop', of: 'batcher' },
      { action: 'drop', of: 'batcher' },
    ],
    [
      { pool: 'hold', of: 'main/batcher', epochs: 2 },
      { action: 'hold', of: 'main/batcher', epochs: 2 },
    ],
  ])('changes its pool: %j', async (value, pool) => {
    const { evidence, asked } = await run(l1, value);
    expect(asked).toMatchObject([{ method: 'faults', action: 'add', fault: { pool } }]);
    expect(evidence).toEqual({ id: '1' });
    expect(l1.gives).toContain('id');
  });

  it('heals what it did to its pool, and no other fault', async () => {
    const of = { since: 1 };
    const pool = ['3', '4'].map((id) => ({ id, ...of, action: 'hold' as const, of: 'batcher', from: POSTER }));
    const partitions = [{ id: '2', ...of, groups: [['a'], ['b']] }];
    const standing = { faults: () => ({ faults: { ...NO_FAULTS, pool, partitions }, ids: ['3', '4'] }) };
    expect((await run(l1, { pool: 'heal' }, standing)).evidence).toEqual({ healed: ['3', '4'] });
    expect(devnet.asked.at(-1)).toEqual({ method: 'faults', action: 'heal', ids: ['3', '4'] });
    const count = devnet.asked.length;
    expect((await run(l1, { pool: 'heal' })).evidence).toEqual({ healed: [] });
    expect(devnet.asked.slice(count)).toEqual([{ method: 'faults', action: 'read' }]);
  });

  it('lets its final block stand still, and go on', async () => {
    const client = await scriptedClient((_, [tag]) => ({ result: { number: tag === 'safe' ? '0x9' : '0x5' } }));
    await devnet[Symbol.asyncDispose]();
    devnet = await servedDevnet(() => {
      const plan = twoChains();
      const rpc = `http://127.0.0.1:${(client.address() as AddressInfo).port}`;
      return { ...plan, links: LINKS, network: { ...plan.network, l1: { ...plan.network.l1, rpc } } };
    });
    try {
      const { evidence, asked } = await run(l1, { finality: 'stop' });
      expect(evidence).toEqual({ final: 5 });
      expect(asked.at(-1)).toMatchObject({ action: 'add', fault: { rpc: { at: { safe: '0x9', finalized: '0x5' } } } });
    } finally {
      client.closeAllConnections();
      client.close();
    }
    const held = { id: L1_FINALITY, since: 1, target: 'l1', method: 'eth_getBlockByNumber', answer: 'stale' as const };
    const standing = { faults: () => ({ faults: { ...NO_FAULTS, rpc: [held] }, ids: [L1_FINALITY] }) };
    const { evidence, asked } = await run(l1, { finality: 'go' }, standing);
    expect(evidence).toEqual({ final: undefined });
    expect(asked.at(-1)).toEqual({ method: 'faults', action: 'heal', ids: [L1_FINALITY] });
  });

  it.each<[Record<string, Json>, boolean]>([
    [{ reorg: 1 }, true],
    [{ reorg: 1, drop: [HASH] }, true],
    [{ pool: 'hold', of: 'batcher', epochs: 1 }, true],
    [{ pool: 'heal' }, true],
    [{}, false],
    [{ reorg: 1, stall: '1s' }, false],
    [{ finality: 'go', pool: 'heal' }, false],
    [{ pool: 'drop' }, false],
    [{ pool: 'heal', of: 'batcher' }, false],
    [{ stall: '1s', of: 'batcher' }, false],
    [{ pool: 'drop', of: 'batcher', epochs: 1 }, false],
    [{ stall: '1s', epochs: 1 }, false],
    [{ stall: '1s', drop: [HASH] }, false],
    [{ reorg: 1, drop: Array(21).fill(HASH) }, false],
    [{ reorg: 1, drop: Array(20).fill(HASH) }, true],
    [{ reorg: 1, drop: ['0x12'] }, false],
  ])('takes exactly one thing to do, with what belongs to it, %j: %s', (value, isTaken) => {
    expect(l1.schema.safeParse(value).success).toBe(isTaken);
  });
});
