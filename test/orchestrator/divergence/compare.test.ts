import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareBlocks,
  differingFields,
  type HeaderFields,
  isHeader,
  type NodeBlocks,
} from '../../../src/orchestrator/divergence/compare.ts';

const header = (number: number, tag = 'a', fields: Record<string, unknown> = {}): HeaderFields => ({
  number: `0x${number.toString(16)}`,
  hash: `0x${tag}${number}`,
  stateRoot: '0x1',
  extraData: '0x',
  ...fields,
});

function node(name: string, headers: readonly HeaderFields[]): NodeBlocks {
  return {
    name,
    reference: name === 'sequencer',
    blocks: new Map(headers.map((each) => [Number(each['number']), each])),
  };
}

const chain = (length: number, from = Number.POSITIVE_INFINITY, tag = 'b', fields = {}) =>
  Array.from({ length }, (_, number) => (number < from ? header(number) : header(number, tag, fields)));

describe('the comparison of blocks', () => {
  it('finds nothing if all nodes have the same blocks, whatever the case of their hashes', () => {
    const upper = chain(5).map((each) => ({ ...each, hash: each.hash.toUpperCase().replace('0X', '0x') }));
    expect(compareBlocks('main', [node('sequencer', chain(5)), node('verifier', upper)])).toEqual([]);
  });

  it('names the first diverging block and the header fields that differ', () => {
    const late = chain(8, 4, 'b', { extraData: '0x00', gasLimit: '0x5' });
    expect(
      compareBlocks('main', [node('sequencer', chain(8)), node('verifier', chain(8)), node('late', late)]),
    ).toEqual([
      {
        chain: 'main',
        block: 4,
        nodes: ['late'],
        kind: 'hash',
        fields: ['extraData', 'gasLimit'],
        reason:
          'extraData is 0x00 on main/late, 0x on main/sequencer; ' +
          'gasLimit is 0x5 on main/late, absent on main/sequencer',
      },
    ]);
  });

  const twoNodes = (fields: Record<string, unknown>) =>
    compareBlocks('main', [node('sequencer', chain(1)), node('late', chain(1, 0, 'b', fields))])[0];

  it('lists fields by name, whatever their order in the header, and explains the first four', () => {
    const found = twoNodes({
      timestamp: '0x9',
      gasUsed: '0x5',
      gasLimit: '0x4',
      receiptsRoot: '0x3',
      extraData: '0x1',
    });
    expect(found?.fields).toEqual(['extraData', 'gasLimit', 'gasUsed', 'receiptsRoot', 'timestamp']);
    expect(found?.reason.split('; ').map((each) => each.split(' is ')[0])).toEqual([
      'extraData',
      'gasLimit',
      'gasUsed',
      'receiptsRoot',
    ]);
  });

  it('explains by a field that follows from others only when no other differs', () => {
    const derived = { parentHash: '0x7', logsBloom: '0x8' };
    const both = twoNodes({ ...derived, timestamp: '0x9' });
    expect(both?.fields).toEqual(['logsBloom', 'parentHash', 'timestamp']);
    expect(both?.reason).toBe('timestamp is 0x9 on main/late, absent on main/sequencer');
    expect(twoNodes(derived)?.reason).toBe(
      'logsBloom is 0x8 on main/late, absent on main/sequencer; ' +
        'parentHash is 0x7 on main/late, absent on main/sequencer',
    );
  });

  it.each([
    [`0x${'a'.repeat(22)}`, `0x${'a'.repeat(22)}`],
    [`0x${'a'.repeat(22)}b`, '0xaaaaaaaaaa…aaaaab'],
    [null, 'null'],
    [['0x1'], '["0x1"]'],
  ])('shows the value %j as %s', (value, shown) => {
    expect(twoNodes({ mixHash: value })?.reason).toBe(`mixHash is ${shown} on main/late, absent on main/sequencer`);
  });

  it('blames the minority, even the sequencer; of two nodes the sequencer counts as right', () => {
    const other = chain(3, 2);
    expect(compareBlocks('main', [node('sequencer', chain(3)), node('a', other), node('b', other)])[0]?.nodes).toEqual([
      'sequencer',
    ]);
    expect(compareBlocks('main', [node('a', other), node('sequencer', chain(3))])[0]?.nodes).toEqual(['a']);
  });

  it('names every diverging node with its first diverging block', () => {
    const nodes = [
      node('sequencer', chain(9)),
      node('a', chain(9)),
      node('early', chain(9, 2, 'e')),
      node('late', chain(9, 6, 'f')),
      node('lost', []),
    ];
    expect(compareBlocks('main', nodes)).toMatchObject([
      { kind: 'hash', nodes: ['early'], block: 2 },
      { kind: 'hash', nodes: ['late'], block: 6 },
    ]);
    const three = [node('sequencer', chain(3)), node('a', chain(3, 1, 'e')), node('b', chain(3, 1, 'f'))];
    expect(compareBlocks('main', three)).toMatchObject([
      { nodes: ['a'], block: 1 },
      { nodes: ['b'], block: 1 },
    ]);
  });

  it('goes through blocks by number, whatever the order in which they came', () => {
    const shuffled = (from: number) => [9, 2, 5, 10].map((number) => header(number, number < from ? 'a' : 'b'));
    const result = compareBlocks('main', [node('sequencer', shuffled(99)), node('late', shuffled(5))]);
    expect(result.map(({ block }) => block)).toEqual([5]);
  });

  it('names the nodes of a group by name, and takes the group with the reference for right', () => {
    const [right, wrong] = [[header(1)], [header(1, 'b')]];
    const four = [node('b', wrong), node('a', wrong), node('sequencer', right), node('c', right)];
    expect(compareBlocks('main', four)[0]?.nodes).toEqual(['a', 'b']);
    expect(compareBlocks('main', [four[2]!, four[3]!, four[0]!, four[1]!])[0]?.nodes).toEqual(['a', 'b']);
  });

  it('takes hashes in any case for one', () => {
    const [lower, upper] = [header(1, 'abc'), { ...header(1, 'ABC') }];
    expect(compareBlocks('main', [node('sequencer', [lower]), node('a', [upper])])).toEqual([]);
  });

  it('compares the others if a node has no block', () => {
    const silent = node('dead', []);
    expect(compareBlocks('main', [node('sequencer', chain(2)), silent])).toEqual([]);
    expect(compareBlocks('main', [node('sequencer', chain(3)), silent, node('a', chain(3, 1))])).toMatchObject([
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
          const divergences = compareBlocks('main', reversed ? nodes.reverse() : nodes);
          expect(divergences).toMatchObject([{ block: from, nodes: [names[who]], kind: 'hash' }]);
        },
      ),
    );
  });
});

it.each<[unknown, boolean]>([
  [{ hash: '0x1' }, true],
  [{ hash: 1 }, false],
  [{ number: '0x1' }, false],
  ['0x1', false],
  [null, false],
])('%j is a header: %s', (value, expected) => {
  expect(isHeader(value)).toBe(expected);
});

it('differing fields leave out the hash and fields that are not in the header', () => {
  expect(differingFields(header(1), { ...header(1, 'b'), size: '0x1', transactions: [] })).toEqual([]);
  expect(differingFields(header(1), { ...header(1), withdrawalsRoot: '0x2' })).toEqual(['withdrawalsRoot']);
  expect(differingFields({ ...header(1), withdrawalsRoot: '0x2' }, header(1))).toEqual(['withdrawalsRoot']);
  expect(differingFields(header(1), header(1, 'a', { extraData: '0X' }))).toEqual([]);
  const noHeader = ['size', 'totalDifficulty', 'uncles', 'transactions', 'withdrawals', 'requests'];
  expect(differingFields(header(1), header(1, 'b', Object.fromEntries(noHeader.map((key) => [key, '0x1']))))).toEqual(
    [],
  );
});
