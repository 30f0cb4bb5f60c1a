import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareChain,
  differingFields,
  type HeaderFields,
  MAX_LAG_BLOCKS,
  type NodeChain,
} from '../../../src/orchestrator/divergence/agreement.ts';

const header = (number: number, tag = 'a', fields: Record<string, unknown> = {}): HeaderFields => ({
  number: `0x${number.toString(16)}`,
  hash: `0x${tag}${number}`,
  stateRoot: '0x1',
  extraData: '0x',
  ...fields,
});

function node(name: string, headers: readonly HeaderFields[], more: Partial<NodeChain> = {}): NodeChain {
  return {
    name,
    implementation: name,
    reference: name === 'sequencer',
    head: headers.length - 1,
    gossip: true,
    blocks: new Map(headers.map((each) => [Number(each['number']), each])),
    ...more,
  };
}

const chain = (length: number, from = Number.POSITIVE_INFINITY, tag = 'b', fields = {}) =>
  Array.from({ length }, (_, number) => (number < from ? header(number) : header(number, tag, fields)));

describe('the comparison of a chain', () => {
  it('finds nothing where all have the same blocks, whatever their case', () => {
    const upper = chain(5).map((each) => ({ ...each, hash: each.hash.toUpperCase().replace('0X', '0x') }));
    expect(compareChain('main', [node('sequencer', chain(5)), node('verifier', upper)])).toEqual([]);
  });

  it('names the first diverging block and the header fields that differ', () => {
    const late = chain(8, 4, 'b', { extraData: '0x00', gasLimit: '0x5' });
    expect(compareChain('main', [node('sequencer', chain(8)), node('verifier', chain(8)), node('late', late)])).toEqual(
      [
        {
          chain: 'main',
          block: 4,
          nodes: ['late'],
          kind: 'hash',
          fields: ['extraData', 'gasLimit'],
          reason: 'extraData is 0x00 on late, 0x on sequencer; gasLimit is 0x5 on late, absent on sequencer',
        },
      ],
    );
  });

  it('blames the minority, even the sequencer; of two nodes the sequencer counts as right', () => {
    const other = chain(3, 2);
    expect(compareChain('main', [node('sequencer', chain(3)), node('a', other), node('b', other)])[0]?.nodes).toEqual([
      'sequencer',
    ]);
    expect(compareChain('main', [node('a', other), node('sequencer', chain(3))])[0]?.nodes).toEqual(['a']);
  });

  it('names the node that refused the next block, with its log line, before nodes that are behind', () => {
    const nodes = [
      node('sequencer', [], { head: 40 }),
      node('late', [], { head: 3, refusal: 'INVALID: bad extra data' }),
      node('slow', [], { head: 1 }),
    ];
    expect(compareChain('main', nodes)).toMatchObject([
      { block: 4, nodes: ['late'], kind: 'refused', reason: 'INVALID: bad extra data' },
      { block: 2, nodes: ['slow'], kind: 'behind' },
    ]);
  });

  it('says of a node that is behind and moves that it is catching up', () => {
    const at = (head: number, before: NodeChain['before'], gossip = true) =>
      compareChain('main', [
        node('sequencer', [], { head: 100, safe: 90 }),
        node('slow', [], { head, safe: head, gossip, ...(before && { before }) }),
      ]);
    expect(at(9, { head: 4, safe: 4 })).toMatchObject([
      { kind: 'behind', catchingUp: true, reason: 'its head moved from block 4 to 9, 91 behind the highest head' },
    ]);
    expect(at(9, { head: 9, safe: 4 }, false)).toMatchObject([{ kind: 'behind', catchingUp: true }]);
    expect(at(9, { head: 9, safe: 9 })[0]).not.toHaveProperty('catchingUp');
    expect(at(9, undefined)[0]).not.toHaveProperty('catchingUp');
  });

  it('allows time for gossip and derivation before it calls a node behind', () => {
    const at = (head: number) =>
      compareChain('main', [node('sequencer', [], { head: 100 }), node('slow', [], { head })]);
    expect(at(100 - MAX_LAG_BLOCKS)).toEqual([]);
    expect(at(99 - MAX_LAG_BLOCKS)).toMatchObject([{ kind: 'behind', nodes: ['slow'], block: 100 - MAX_LAG_BLOCKS }]);
  });

  it('judges a node without gossip by its safe block', () => {
    const at = (safe: number) =>
      compareChain('main', [
        node('sequencer', [], { head: 300, safe: 100 }),
        node('alone', [], { head: safe, safe, gossip: false }),
      ]);
    expect(at(100)).toEqual([]);
    expect(at(100 - MAX_LAG_BLOCKS)).toEqual([]);
    expect(at(99 - MAX_LAG_BLOCKS)).toMatchObject([{ kind: 'behind', nodes: ['alone'], block: 100 - MAX_LAG_BLOCKS }]);
  });

  it('names every diverging node with its first diverging block', () => {
    const nodes = [
      node('sequencer', chain(9)),
      node('a', chain(9)),
      node('early', chain(9, 2, 'e')),
      node('late', chain(9, 6, 'f')),
      node('lost', [], { head: undefined }),
    ];
    expect(compareChain('main', nodes)).toMatchObject([
      { kind: 'hash', nodes: ['early'], block: 2 },
      { kind: 'hash', nodes: ['late'], block: 6 },
    ]);
    const three = [node('sequencer', chain(3)), node('a', chain(3, 1, 'e')), node('b', chain(3, 1, 'f'))];
    expect(compareChain('main', three)).toMatchObject([
      { nodes: ['a'], block: 1 },
      { nodes: ['b'], block: 1 },
    ]);
  });

  it('compares the others where a node does not answer', () => {
    const silent = node('dead', [], { head: undefined });
    expect(compareChain('main', [node('sequencer', chain(2)), silent])).toEqual([]);
    expect(compareChain('main', [node('sequencer', chain(3)), silent, node('a', chain(3, 1))])).toMatchObject([
      { kind: 'hash', nodes: ['a'], block: 1 },
    ]);
  });

  it('finds the divergence at any block, on any node, in any order of the nodes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        (from, who, reversed) => {
          const names = ['sequencer', 'a', 'b', 'c'];
          const nodes = names.map((name, at) => node(name, chain(31, at === who ? from : undefined)));
          const found = compareChain('main', reversed ? nodes.reverse() : nodes);
          expect(found).toMatchObject([{ block: from, nodes: [names[who]], kind: 'hash' }]);
        },
      ),
    );
  });
});

it('differing fields leave out the hash and what is no part of the header', () => {
  expect(differingFields(header(1), { ...header(1, 'b'), size: '0x1', transactions: [] })).toEqual([]);
  expect(differingFields(header(1), { ...header(1), withdrawalsRoot: '0x2' })).toEqual(['withdrawalsRoot']);
});
