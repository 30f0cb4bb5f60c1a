import { describe, expect, it } from 'vitest';
import {
  compareHeads,
  MAX_LAG_BLOCKS,
  type NodeHeads,
} from '../../../../src/orchestrator/divergence/check/compare-heads.ts';

const node = (name: string, more: Partial<NodeHeads> & Pick<NodeHeads, 'head'>): NodeHeads => ({
  name,
  gossip: true,
  ...more,
});

describe('the comparison of heads', () => {
  it('names the node that refused the next block, with its log line, before nodes that are behind', () => {
    const nodes = [
      node('sequencer', { head: 40 }),
      node('late', { head: 3, refusal: 'INVALID: bad extra data' }),
      node('slow', { head: 1 }),
    ];
    expect(compareHeads('main', nodes)).toMatchObject([
      { block: 4, nodes: ['late'], kind: 'refused', reason: 'INVALID: bad extra data' },
      { block: 2, nodes: ['slow'], kind: 'behind' },
    ]);
  });

  it('reports a node that is behind and moves as catching up', () => {
    const at = (head: number, before: NodeHeads['before'], gossip = true) =>
      compareHeads('main', [
        node('sequencer', { head: 100, safe: 90 }),
        node('slow', { head, safe: head, gossip, ...(before && { before }) }),
      ]);
    expect(at(9, { head: 4, safe: 4 })).toMatchObject([
      { kind: 'behind', catchingUp: true, reason: 'its head moved from block 4 to 9, 91 behind the highest head' },
    ]);
    expect(at(9, { head: 9, safe: 4 }, false)).toMatchObject([{ kind: 'behind', block: 10, catchingUp: true }]);
    expect(at(9, { head: 9, safe: 9 })[0]).not.toHaveProperty('catchingUp');
    expect(at(9, undefined)[0]).not.toHaveProperty('catchingUp');
  });

  it('allows time for gossip and derivation before it calls a node behind', () => {
    const at = (head: number) => compareHeads('main', [node('sequencer', { head: 100 }), node('slow', { head })]);
    expect(at(100 - MAX_LAG_BLOCKS)).toEqual([]);
    expect(at(99 - MAX_LAG_BLOCKS)).toMatchObject([{ kind: 'behind', nodes: ['slow'], block: 100 - MAX_LAG_BLOCKS }]);
  });

  it('judges a node without gossip by its safe block', () => {
    const at = (safe: number) =>
      compareHeads('main', [
        node('sequencer', { head: 300, safe: 100 }),
        node('alone', { head: safe, safe, gossip: false }),
      ]);
    expect(at(100)).toEqual([]);
    expect(at(100 - MAX_LAG_BLOCKS)).toEqual([]);
    expect(at(99 - MAX_LAG_BLOCKS)).toMatchObject([{ kind: 'behind', nodes: ['alone'], block: 100 - MAX_LAG_BLOCKS }]);
  });

  it('says of a node that is behind where it stands, and of what kind it is', () => {
    const at = (more: Partial<NodeHeads>) =>
      compareHeads('main', [
        node('sequencer', { head: 300, safe: 200 }),
        node('late', { head: 50, safe: 40, ...more }),
      ]);
    expect(at({})).toEqual([
      {
        chain: 'main',
        block: 51,
        nodes: ['late'],
        kind: 'behind',
        fields: [],
        reason: 'late is at block 50, 250 behind the highest head',
      },
    ]);
    expect(at({ gossip: false })).toMatchObject([
      { block: 41, reason: 'late receives no gossip and has safe block 40, 160 behind the highest head' },
    ]);
    const { safe: _, ...unsafe } = node('late', { head: 50, safe: 0, gossip: false });
    expect(compareHeads('main', [node('sequencer', { head: 300, safe: 200 }), unsafe])).toMatchObject([{ block: 1 }]);
  });

  it('takes a log line for a refusal only below the highest head, however near', () => {
    const at = (head: number) =>
      compareHeads('main', [node('sequencer', { head: 9 }), node('late', { head, refusal: 'bad' })]);
    expect(at(8)).toMatchObject([{ kind: 'refused', block: 9 }]);
    expect(at(9)).toEqual([]);
  });

  it('lists nodes of one kind by their blocks', () => {
    const nodes = [
      node('sequencer', { head: 300 }),
      node('b', { head: 60 }),
      node('a', { head: 50 }),
      node('c', { head: 55 }),
    ];
    expect(compareHeads('main', nodes).map(({ nodes: [name] }) => name)).toEqual(['a', 'c', 'b']);
    expect(compareHeads('main', [])).toEqual([]);
  });
});
