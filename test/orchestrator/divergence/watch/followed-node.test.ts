import { describe, expect, it } from 'vitest';
import {
  blocksOf,
  heightsBetween,
  lastEqual,
  newestCommon,
} from '../../../../src/orchestrator/divergence/watch/followed-node.ts';
import { node } from './followed.ts';

describe('the blocks of followed nodes', () => {
  it('are compared by their hashes', () => {
    expect(blocksOf(node('a', 'a-c', true))).toEqual({
      ...{ name: 'a', reference: true },
      blocks: new Map([
        [0, { hash: 'a' }],
        [2, { hash: 'c' }],
      ]),
    });
  });

  it.each<[string[], number]>([
    [['abc', 'abx', 'abcd'], 1],
    [['abc', 'abc'], 2],
    [['abc', 'xyz'], -1],
    [['abc', 'a-c', 'ab'], 0],
    [['abc'], -1],
    [[], -1],
    [['abc', ''], -1],
  ])('of %j are common up to %d', (chains, height) => {
    expect(newestCommon(chains.map((hashes, at) => node(`n${at}`, hashes)))).toBe(height);
  });

  it.each([
    ['abc', 'abc', 3, 2],
    ['abc', 'abc', 2, 1],
    ['abc', 'axc', 2, 0],
    ['abc', 'xyc', 2, undefined],
    ['a-c', 'abx', 3, 0],
  ])('%s and %s below block %d are equal last at %s', (a, b, block, height) => {
    expect(lastEqual(node('a', a), node('b', b), block)).toBe(height);
  });

  it.each([
    [4, 5, []],
    [4, 6, [5]],
    [4, 8, [5, 6, 7]],
    [0, 16, Array.from({ length: 15 }, (_, at) => at + 1)],
    [0, 17, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]],
    [100, 260, Array.from({ length: 15 }, (_, at) => 110 + 10 * at)],
  ])('are searched between %d and %d at %j', (low, high, heights) => {
    expect(heightsBetween(low, high)).toEqual(heights);
  });
});
