import { describe, expect, it } from 'vitest';
import {
  type Boundary,
  describeBoundary,
  nearestBoundary,
} from '../../../../src/orchestrator/divergence/explain/boundary.ts';
import { firstDifference, valueText } from '../../../../src/orchestrator/divergence/explain/differences.ts';
import type { ChainView, NodeView } from '../../../../src/orchestrator/plan/plan.ts';

const GENESIS = 1_000_000;
const boundaryOf = (block: number, forks: object, ...overrides: object[]) => {
  const nodes = overrides.map((each, at) => ({ name: `n${at}`, overrides: each }) as unknown as NodeView);
  return nearestBoundary({ name: 'main', blockTime: 2, forks } as unknown as ChainView, nodes, GENESIS, block);
};
const forks = { canyon: 0, delta: GENESIS, ecotone: GENESIS + 20, fjord: GENESIS + 41, granite: null };

describe('the nearest fork boundary', () => {
  it.each<[number, string, number, number]>([
    [10, 'ecotone', 10, 0],
    [7, 'ecotone', 10, -3],
    [15, 'ecotone', 10, 5],
    [16, 'fjord', 21, -5],
    [30, 'fjord', 21, 9],
  ])('of block %d is %s, block %d', (block, fork, first, distance) => {
    expect(boundaryOf(block, forks, {}, {})).toEqual({
      ...{ fork, network: forks[fork as 'ecotone'], block: first, nodes: {}, distance },
    });
  });

  it('may be that of a node alone', () => {
    expect(boundaryOf(5, forks, { granite: GENESIS + 10 }, {})).toEqual({
      ...{ fork: 'granite', network: null, block: null, nodes: { n0: GENESIS + 10 }, distance: 0 },
    });
    expect(boundaryOf(9, forks, { fjord: GENESIS + 18 }, { fjord: null })).toEqual({
      ...{ fork: 'fjord', network: GENESIS + 41, block: 21, nodes: { n0: GENESIS + 18, n1: null }, distance: 0 },
    });
    expect(boundaryOf(3, {}, { holocene: GENESIS + 6 })).toMatchObject({ fork: 'holocene', distance: 0 });
  });

  it('is the one on which the sides differ, of several at one distance', () => {
    const same = { a: GENESIS + 20, b: GENESIS + 20, c: GENESIS + 20 };
    expect(boundaryOf(10, same, { b: null }, {})?.fork).toBe('b');
    expect(boundaryOf(10, same, { b: null, c: null }, { c: GENESIS + 4 })?.fork).toBe('c');
    expect(boundaryOf(10, same, {}, {})?.fork).toBe('a');
  });

  it('is absent when no fork activates after genesis', () => {
    expect(boundaryOf(10, { canyon: 0, delta: GENESIS, granite: null }, {}, { granite: GENESIS - 8 })).toBeUndefined();
  });

  it.each<[Partial<Boundary>, string]>([
    [{}, "fjord, at this block: 1970-01-12T13:47:21Z, block 21 by the network's schedule"],
    [{ distance: 3 }, "fjord, 3 blocks before: 1970-01-12T13:47:21Z, block 21 by the network's schedule"],
    [{ distance: -3 }, "fjord, 3 blocks after: 1970-01-12T13:47:21Z, block 21 by the network's schedule"],
    [
      { network: null, block: null, nodes: { a: GENESIS, b: null } },
      "fjord, at this block: never by the network's schedule; 1970-01-12T13:46:40Z on main/a; never on main/b",
    ],
  ])('is described: %j', (more, text) => {
    const boundary = { fork: 'fjord', network: GENESIS + 41, block: 21, nodes: {}, distance: 0, ...more };
    expect(describeBoundary(boundary, 'main')).toBe(text);
  });
});

describe('the first difference of two values', () => {
  it.each<[unknown, unknown, object | undefined]>([
    [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }, { path: 'a.b[1].c', minority: 2, majority: 3 }],
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { path: 'b', minority: 1, majority: 2 },
    ],
    [{ a: 1 }, { b: 1 }, { path: 'a', minority: 1, majority: undefined }],
    [{}, { b: 1 }, { path: 'b', minority: undefined, majority: 1 }],
    [[], [7], { path: '[0]', minority: undefined, majority: 7 }],
    [[7], [], { path: '[0]', minority: 7, majority: undefined }],
    [[1], { 0: 1 }, { path: '', minority: [1], majority: { 0: 1 } }],
    [{ a: 1 }, 'a', { path: '', minority: { a: 1 }, majority: 'a' }],
    ['0xAb', '0xaB', undefined],
    [null, undefined, undefined],
    [0, null, { path: '', minority: 0, majority: null }],
    [[1, 2], [1, 2], undefined],
    [{ a: [] }, { a: [] }, undefined],
  ])('%j and %j is %j', (minority, majority, difference) => {
    expect(firstDifference(minority, majority)).toEqual(difference);
  });

  it.each([
    [undefined, 'absent'],
    ['0x1', '0x1'],
    [{ a: 1 }, '{"a":1}'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(75) + 'y'.repeat(12), `${'x'.repeat(60)}…${'y'.repeat(12)} (87 characters)`],
    ['x'.repeat(81), `${'x'.repeat(60)}…${'x'.repeat(12)} (81 characters)`],
  ])('has the text of the value %j: %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });
});
