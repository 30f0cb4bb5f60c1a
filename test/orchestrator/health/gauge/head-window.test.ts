import { expect, it } from 'vitest';
import { type BlockRef, BlockWindow, type HeadRef } from '../../../../src/orchestrator/health/gauge/head-window.ts';

const NONE: ReadonlySet<number> = new Set();

/** Block `number` of a chain that is named by a letter. */
const block = (number: number, chain = 'a'): BlockRef => ({ number, hash: `${chain}${number}` });
const head = (number: number, chain = 'a', parent?: string): HeadRef => ({
  ...block(number, chain),
  time: number,
  ...(parent === undefined ? {} : { parentHash: parent }),
});

const numbersOf = (window: BlockWindow) => [...window.hashes.keys()].sort((a, b) => a - b);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

it('a window knows the head of a node, its parent and the blocks that were asked for', () => {
  const window = new BlockWindow();
  expect(window.head).toBeUndefined();
  expect(window.observe(head(7, 'a', 'a6'), [block(3)], NONE)).toBeUndefined();
  expect(window.head).toEqual(head(7, 'a', 'a6'));
  expect([...window.hashes]).toEqual([
    [3, 'a3'],
    [6, 'a6'],
    [7, 'a7'],
  ]);
});

it('a window has no block above the head, and none below the genesis block', () => {
  const window = new BlockWindow();
  window.observe(head(0, 'a', '0x00'), [block(0), block(1)], NONE);
  expect(numbersOf(window)).toEqual([0]);
});

it.each<[name: string, next: HeadRef, blocks: readonly BlockRef[], numbers: readonly number[] | undefined]>([
  ['the same head', head(7), [], undefined],
  ['a higher head', head(8, 'a', 'a7'), [], undefined],
  ['a lower head of the same chain', head(6), [], [6]],
  ['another block of the number of the head', head(7, 'b'), [], [7]],
  ['a higher head with another parent', head(8, 'b', 'b7'), [], [7, 8]],
  ['another block of an earlier number', head(8, 'b'), [block(6, 'b')], [6, 8]],
])('a window whose node answers %s is emptied exactly when the node has left its chain', (_, next, blocks, numbers) => {
  const window = new BlockWindow();
  window.observe(head(7, 'a', 'a6'), [block(5)], NONE);
  const before = window.observe(next, blocks, NONE);
  expect(before).toEqual(numbers === undefined ? undefined : head(7, 'a', 'a6'));
  if (numbers === undefined) expect(numbersOf(window)).toEqual(expect.arrayContaining([5, 6, 7]));
  else expect(numbersOf(window)).toEqual(numbers);
});

it('a window forgets the oldest blocks of more than 64, but never those that are pinned', () => {
  const window = new BlockWindow();
  window.observe(
    head(64),
    range(1, 63)
      .toReversed()
      .map((number) => block(number)),
    new Set([1]),
  );
  expect(numbersOf(window)).toEqual(range(1, 64));
  window.observe(head(66), [block(65)], new Set([1, 3]));
  expect(numbersOf(window)).toEqual([1, 3, ...range(5, 66)]);
});
