import { describe, expect, it } from 'vitest';
import type { ChainView, Plan } from '../../../../src/orchestrator/plan/plan.ts';
import type { Facts } from '../../../../src/orchestrator/scenario/facts.ts';
import type { StepKind } from '../../../../src/orchestrator/scenario/step.ts';
import { altDa } from '../../../../src/orchestrator/scenario/steps/alt-da.ts';
import { clock } from '../../../../src/orchestrator/scenario/steps/clock.ts';
import { conductor } from '../../../../src/orchestrator/scenario/steps/conductor.ts';
import { fault } from '../../../../src/orchestrator/scenario/steps/fault.ts';
import { l1 } from '../../../../src/orchestrator/scenario/steps/l1.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { twoChains } from '../read/two-chains.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const EXTERNAL = { launch: 'external' as const };
const NODES = 'a, b, c';

/** Lists what a step reports: where, what, and what is allowed. */
function problemsOf(kind: StepKind, value: Json, plan: Plan) {
  const problems: unknown[] = [];
  const facts: Facts = {
    ...{ plan, timeline: { reached: new Map(), movedForks: new Set() }, become: () => expect.fail('it changes none') },
    report: (path, message, { allowed } = {}) => void problems.push([path.join('.'), message, allowed]),
  };
  kind.check(value, facts);
  return problems;
}

describe('a step of a DA server', () => {
  const daServer = { task: 'main/batcher', rpc: 'http://127.0.0.1:1' };
  const plan = twoChains({ daServer } as Partial<ChainView>);

  it('is accepted of a chain with one', () => {
    expect(problemsOf(altDa, { answer: 'withhold' }, plan)).toEqual([]);
    expect(problemsOf(altDa, { answer: 'withhold', chain: 'main' }, plan)).toEqual([]);
  });

  it.each<[Json, string, string, string]>([
    [{ answer: 'honest', chain: 'x' }, 'chain', 'the devnet has no chain "x"', 'main, other'],
    [{ answer: 'honest', chain: 'other' }, '', 'other has no DA server', 'a chain with altDa: {}'],
  ])('is refused: %j', (value, path, message, allowed) => {
    expect(problemsOf(altDa, value, plan)).toEqual([[path, message, allowed]]);
  });

  it('is refused of a server that runs elsewhere', () => {
    const elsewhere = twoChains({ daServer } as Partial<ChainView>, { 'main/batcher': EXTERNAL });
    expect(problemsOf(altDa, { answer: 'honest' }, elsewhere)).toMatchObject([
      ['', 'main/batcher is not started by devnet: it runs elsewhere', expect.anything()],
    ]);
  });
});

describe('a step of a conductor', () => {
  const plan = twoChains({ conductor: { task: 'main/batcher', rpc: 'http://127.0.0.1:1' } } as Partial<ChainView>);

  it('is accepted of a sequencer of its set', () => {
    expect(problemsOf(conductor, { transfer: 'main/a' }, plan)).toEqual([]);
  });

  it.each<[string, string, string | undefined]>([
    ['x', 'the devnet has no node "x"', NODES],
    ['c', 'the chain of c has no conductor', 'a sequencer of a chain with conductor: true'],
    ['b', 'b is not a sequencer', undefined],
  ])('is refused of %s', (transfer, message, allowed) => {
    expect(problemsOf(conductor, { transfer }, plan)).toEqual([['transfer', message, allowed]]);
  });
});

describe('a step of the clock', () => {
  const value = { skew: 'a', by: '+1s' };

  it('is accepted of a node whose processes run here', () => {
    expect(problemsOf(clock, value, twoChains())).toEqual([]);
  });

  it('is refused of a stepped network, whose processes have one time', () => {
    const plan: Plan = { ...twoChains(), time: { clock: 'stepped', rate: 1 } };
    expect(problemsOf(clock, { ...value, skew: 'x' }, plan)).toEqual([
      ['', 'the clock of this network is stepped: its processes have one time', 'devnet: { time: { clock: wall } }'],
    ]);
  });

  it('is refused of a node that is unknown, or runs elsewhere', () => {
    const plan = twoChains({}, { 'main/b/el': EXTERNAL, 'main/b/cl': EXTERNAL });
    expect(problemsOf(clock, { ...value, skew: 'x' }, plan)).toEqual([
      ['skew', 'there is no node "x"', plan.tasks.map(({ id }) => id).join(', ')],
    ]);
    expect(problemsOf(clock, { ...value, skew: 'b' }, plan)).toEqual([
      [
        'skew',
        'b is not started by devnet: it runs elsewhere',
        expect.stringMatching(/^main\/a\/el, main\/a\/cl, main\/batch/),
      ],
    ]);
  });
});

describe('a step of faults', () => {
  const cut = { target: 'l1', cut: true };
  const link = {
    ...{ id: 'link:main/a/cl>l1:rpc', from: 'main/a/cl', to: 'l1', port: 'rpc', transport: 'tcp' as const },
    ...{ listen: { host: '127.0.0.1', port: 1 }, target: { host: '127.0.0.1', port: 2 } },
  };
  const gossip = { ...link, id: 'link:main/a/cl>main/b/cl:p2p', to: 'main/b/cl', port: 'p2p' };
  const plan: Plan = { ...twoChains({}, { l1: { kind: 'l1' } }), links: [link, gossip] };

  it.each<Json>([cut, { heal: 'all' }, { ...cut, for: '3s', id: 'x', as: 'y' }])('is accepted: %j', (value) => {
    expect(problemsOf(fault, value, plan)).toEqual([]);
  });

  it.each<[Json, string]>([
    [cut, 'target'],
    [{ partition: [['a'], ['b']] }, 'partition'],
    [{ rpc: 'l1', method: 'eth_call', answer: 'error' }, 'rpc'],
    [{ heal: 'all' }, ''],
  ])('is refused at its kind when the network has no links: %j', (value, path) => {
    expect(problemsOf(fault, value, twoChains())).toEqual([
      [
        path,
        'two was started without links that can fail',
        'start it with `faults: true` in its spec, or with `devnet up --set faults=true`',
      ],
    ]);
  });

  it.each<Json>([
    { ...cut, id: 'A b' },
    { partition: [['a'], ['b']], id: 'A b' },
    { rpc: 'l1', method: 'eth_call', answer: 'error', id: 'A b' },
  ])('is refused with an id that no fault can have: %j', (value) => {
    expect(problemsOf(fault, value, plan)).toEqual([
      ['', 'lower-case letters, digits and dashes, at most 39', undefined],
    ]);
  });

  it('throws an error of the program, which is no problem of the scenario', () => {
    expect(() => problemsOf(fault, cut, { ...plan, network: undefined } as never)).toThrow(TypeError);
  });

  it('is refused of what the network does not have, and of what does not go together', () => {
    expect(problemsOf(fault, { ...cut, target: 'x' }, plan)).toEqual([
      [
        'target',
        'there is no node "x"',
        'expected one of main/a, main/b, main/batcher, main/proposer, other/c, l1, beacon',
      ],
    ]);
    expect(problemsOf(fault, { target: 'l1' }, plan)).toEqual([
      ['', 'at least one of delay, jitter, loss, bandwidth, cut, drop', undefined],
    ]);
    expect(problemsOf(fault, { ...cut, direction: 'egress' }, plan)).toEqual([
      ['', 'a cut has no direction: connections have two', undefined],
    ]);
  });
});

describe('a step of L1', () => {
  const beacon = { 'l1-beacon': { kind: 'l1', clock: 'network' } } as const;
  const accounts = [{ address: `0x${'33'.repeat(20)}`, role: 'batcher' }] as ChainView['accounts'];
  const plan = twoChains({ accounts }, beacon);

  it.each<Json>([
    'stall',
    { reorg: 2 },
    { pool: 'drop', of: 'batcher' },
    { pool: 'hold', of: 'main/batcher' },
    { pool: 'drop', of: HASH },
    { pool: 'drop', of: '${tx.hash}' },
    { pool: 'heal' },
  ])('is accepted: %j', (value) => {
    expect(problemsOf(l1, value, plan)).toEqual([]);
  });

  it('is accepted with the finality of an L1 whose links can fail', () => {
    expect(problemsOf(l1, { finality: 'stop' }, { ...plan, links: [] })).toEqual([]);
    expect(problemsOf(l1, { finality: 'stop' }, plan)).toEqual([
      ['finality', 'the devnet has no links that can hold it', '`faults: true` in its spec'],
    ]);
  });

  it('is refused of a transaction that nothing sends', () => {
    expect(problemsOf(l1, { pool: 'drop', of: 'proposer' }, plan)).toEqual([
      ['of', expect.stringMatching(/^"proposer" names no transaction/), 'a hash, batcher or CHAIN/batcher'],
    ]);
  });

  it.each([
    ['no l1-beacon', {}],
    ['one on a clock of its own', { 'l1-beacon': { ...beacon['l1-beacon'], clock: 'wall' as const } }],
    ['another process on the clock of the network', { 'l1-other': beacon['l1-beacon'] }],
  ])('is refused of an L1 with %s', (_, others) => {
    expect(problemsOf(l1, 'stall', twoChains({}, others))).toEqual([
      ['', 'no l1-beacon makes the blocks of this L1', 'a devnet with an L1 of its own'],
    ]);
  });
});
