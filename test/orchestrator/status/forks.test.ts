import { describe, expect, it } from 'vitest';
import {
  activationOf,
  blockAt,
  forkTable,
  isoTime,
  secondsTo,
  timeOn,
} from '../../../src/orchestrator/status/forks.ts';
import type { Heads } from '../../../src/orchestrator/status/heads.ts';
import { movedForks, placeOf } from '../../../src/orchestrator/status/moved-forks.ts';
import { fixturePlan } from '../supervisor/fixture-plan.ts';

type Overrides = Readonly<Record<string, number | null>>;

/** A plan of one chain with these fork times, whose second node has others. */
function planWith(forks: Overrides, overrides: Overrides = {}) {
  const plan = fixturePlan('/home', 'one', [{ port: 1 }, { port: 2 }]);
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    ...{ blockTime: 2, forks, bundles: { b: 'official' as const } },
    nodes: chain.nodes.map((node, index) => (index === 1 ? { ...node, overrides } : node)),
  }));
  return { ...plan, network: { ...plan.network, chains } };
}
const headsAt = (time: number): Heads => ({ unsafe: { number: 1, hash: '0x01', time }, safe: null, finalized: null });

describe('the activation table', () => {
  const { chain } = placeOf(planWith({ c: null, b: 1010, a: 0 }, { b: null, d: 1003 }), 'main', 'node-0');
  const rows = forkTable(chain, { genesisTime: 1000, now: 1004.5 }, new Map([['main/node-1', headsAt(1003)]]));

  it('has the forks of the chain and of its nodes by time, those without a time last', () => {
    expect(rows.map(({ fork, time, at, secondsToGo, block }) => [fork, time, at, secondsToGo, block])).toEqual([
      ['a', 1000, '1970-01-01T00:16:40Z', 0, 0],
      ['b', 1010, '1970-01-01T00:16:50Z', 6, 5],
      ['c', null, null, null, null],
      ['d', null, null, null, null],
    ]);
  });

  it('has the state of each fork on each node, and the times that a node has for itself', () => {
    expect(rows.map(({ fork, nodes, overrides, bundle }) => [fork, nodes, overrides, bundle])).toEqual([
      ['a', { 'node-0': 'unknown', 'node-1': 'active' }, {}, null],
      ['b', { 'node-0': 'unknown', 'node-1': 'never' }, { 'node-1': null }, 'official'],
      ['c', { 'node-0': 'never', 'node-1': 'never' }, {}, null],
      ['d', { 'node-0': 'never', 'node-1': 'active' }, { 'node-1': 1003 }, null],
    ]);
  });

  it('has a fork that is pending until the time of the head has reached it', () => {
    const states = [1009, 1010].map((time) => {
      const table = forkTable(chain, { genesisTime: 1000, now: 1000 }, new Map([['main/node-0', headsAt(time)]]));
      return table.find(({ fork }) => fork === 'b')?.nodes['node-0'];
    });
    expect(states).toEqual(['pending', 'active']);
  });

  it('is made of a chain without bundles, too', () => {
    const { bundles: _, ...bare } = chain;
    expect(forkTable(bare, { genesisTime: 1000, now: 1000 }, new Map()).map(({ bundle }) => bundle)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

it.each<[fork: string, node: string, time: number | null]>([
  ['a', 'node-0', 5],
  ['a', 'node-1', 9],
  ['b', 'node-0', 7],
  ['b', 'node-1', null],
  ['c', 'node-0', null],
  ['absent', 'node-0', null],
])('fork %s activates on %s at %s', (fork, name, time) => {
  const { chain, node } = placeOf(planWith({ a: 5, b: 7, c: null }, { a: 9, b: null }), 'main', name);
  expect(activationOf(fork, chain, node)).toBe(time);
});

it.each([
  ['node-0', 5],
  ['node-1', 9],
  ['node-2', null],
])('the time of a row on %s is %s', (node, time) => {
  expect(timeOn({ time: 5, overrides: { 'node-1': 9, 'node-2': null } }, node)).toBe(time);
});

it('a time has its first block, its text and the whole seconds that are left', () => {
  expect([999, 1000, 1001, 1002].map((time) => blockAt(time, 1000, 2))).toEqual([0, 0, 1, 1]);
  expect(isoTime(1_700_000_000)).toBe('2023-11-14T22:13:20Z');
  expect([8, 10, 10.5, 11].map((time) => secondsTo(time, 10))).toEqual([0, 0, 1, 1]);
});

describe('the forks of a node that a change of plan moves', () => {
  const before = planWith({ a: 5, b: 7, c: null }, { b: 20 });

  it.each<[name: string, node: string, forks: Overrides, overrides: Overrides, moved: ReturnType<typeof movedForks>]>([
    ['none', 'node-0', { a: 5, b: 7, c: null }, { b: 30 }, undefined],
    [
      'one of the chain',
      'node-0',
      { a: 6, b: 7, c: null },
      { b: 20 },
      { forks: [{ fork: 'a', was: 5, is: 6 }], since: 5 },
    ],
    [
      'one that the node has for itself',
      'node-1',
      { a: 5, b: 8, c: null },
      { b: 9 },
      { forks: [{ fork: 'b', was: 20, is: 9 }], since: 9 },
    ],
    [
      'one that gets a time, and one that loses it',
      'node-0',
      { b: 7, c: 40 },
      {},
      {
        forks: [
          { fork: 'a', was: 5, is: null },
          { fork: 'c', was: null, is: 40 },
        ],
        since: 5,
      },
    ],
    [
      'one that is new on the node',
      'node-1',
      { a: 5, b: 7, c: null },
      { b: 20, d: 3 },
      { forks: [{ fork: 'd', was: null, is: 3 }], since: 3 },
    ],
  ])('are %s', (_, node, forks, overrides, moved) => {
    expect(movedForks(before, planWith(forks, overrides), 'main', node)).toEqual(moved);
  });

  it.each([
    ['other', 'node-0'],
    ['main', 'node-2'],
  ])('are refused for %s/%s, which the plan lacks', (chain, node) => {
    expect(() => movedForks(before, before, chain, node)).toThrow(`the plan has no node ${chain}/${node}`);
  });
});
