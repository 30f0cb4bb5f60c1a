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
    expect(at(9, { head: 9, safe: 4 }, false)).toMatchObject([{ kind: 'behind', catchingUp: true }]);
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
});
