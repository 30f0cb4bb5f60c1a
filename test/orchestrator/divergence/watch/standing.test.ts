import { describe, expect, it } from 'vitest';
import type { FollowedNode } from '../../../../src/orchestrator/divergence/watch/followed-node.ts';
import { type Standing, StandingDivergences } from '../../../../src/orchestrator/divergence/watch/standing.ts';
import { node } from './followed.ts';

describe('standing divergences', () => {
  const standing = (nodes: string[], block = 2): Standing => ({
    ...{ block, nodes, kind: 'hash', against: 'sequencer', hash: 'c', other: 'x', since: 5 },
  });
  const all = [node('sequencer', 'abcd', true), node('other', 'abcd')];

  it('are those of exactly their nodes', () => {
    const divergences = new StandingDivergences();
    expect(divergences.add(standing(['a', 'b']))).toEqual({ kind: 'divergence', standing: standing(['a', 'b']) });
    expect(divergences.of(['a', 'b'])).toEqual(standing(['a', 'b']));
    expect(divergences.of(['a'])).toBeUndefined();
    expect(divergences.of(['ab'])).toBeUndefined();
  });

  it('take the place of those of some of their nodes', () => {
    const divergences = new StandingDivergences();
    for (const nodes of [['a'], ['b', 'z'], ['a', 'b']]) divergences.add(standing(nodes));
    expect(divergences.all.map(({ nodes }) => nodes)).toEqual([
      ['b', 'z'],
      ['a', 'b'],
    ]);
    divergences.add(standing(['a', 'b'], 3));
    expect(divergences.all.map(({ block }) => block)).toEqual([2, 3]);
  });

  it.each<[string, FollowedNode[], string[], number | undefined]>([
    ['has the block in common', [...all, node('late', 'abc')], [], 2],
    ['has a later block in common', [...all, node('late', '---d')], [], 3],
    ['has a block in common below it', [...all, node('late', 'ab')], [], undefined],
    ['has no block in common', [...all, node('late', 'xyz')], [], undefined],
    ['differs now', [...all, node('late', 'abc')], ['late'], undefined],
    ['is not known', all, [], undefined],
    [
      'has it in common with a node that differs',
      [node('sequencer', 'abx'), node('other', 'abcd'), node('late', 'abc')],
      ['other'],
      undefined,
    ],
    [
      'has gone back below it with all others',
      [node('sequencer', 'ab'), node('other', 'ab'), node('late', 'a')],
      [],
      0,
    ],
    [
      'has gone back below it, and one other has it still',
      [node('sequencer', 'ab'), node('other', 'abc'), node('late', 'a')],
      [],
      undefined,
    ],
    ['has gone back with others, and the majority is unknown', [node('other', 'ab'), node('late', 'a')], [], undefined],
    [
      'has gone back to another chain',
      [node('sequencer', 'ab'), node('other', 'ab'), node('late', 'x')],
      [],
      undefined,
    ],
    [
      'has gone back with a node without a head',
      [node('sequencer', 'ab'), node('other', ''), node('late', 'a')],
      [],
      undefined,
    ],
  ])('when a node %s', (_, nodes, different, block) => {
    const divergences = new StandingDivergences();
    divergences.add(standing(['late']));
    const ends = block === undefined ? [] : [{ kind: 'agreement', standing: standing(['late']), block }];
    expect(divergences.end(nodes, new Set(different))).toEqual(ends);
    expect(divergences.all).toHaveLength(ends.length === 0 ? 1 : 0);
  });

  it('are forgotten when one of their nodes has left the network', () => {
    const divergences = new StandingDivergences();
    for (const nodes of [['a', 'b'], ['c']]) divergences.add(standing(nodes));
    divergences.drop('d');
    expect(divergences.all).toHaveLength(2);
    divergences.drop('b');
    expect(divergences.all.map(({ nodes }) => nodes)).toEqual([['c']]);
  });

  it('end when each of their nodes has the block in common', () => {
    const divergences = new StandingDivergences();
    divergences.add(standing(['late', 'slow']));
    expect(divergences.end([...all, node('late', 'abcd'), node('slow', 'ab')], new Set())).toEqual([]);
    expect(divergences.end([...all, node('late', 'abcd')], new Set())).toEqual([]);
    expect(divergences.end([...all, node('late', 'abcd'), node('slow', 'abx')], new Set(['slow']))).toEqual([]);
    expect(divergences.end([...all, node('late', 'abcd'), node('slow', 'abcx')], new Set(['slow']))).toEqual([]);
    expect(divergences.end([...all, node('late', 'abcd'), node('slow', 'abc')], new Set())).toMatchObject([
      { block: 2 },
    ]);
  });
});
