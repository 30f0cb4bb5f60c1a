import { describe, expect, it } from 'vitest';
import { prefetchBlocks } from '../../../../src/nodes/rollup/l1/prefetch.ts';
import type { L1Header } from '../../../../src/protocol/types.ts';
import { settle } from '../support/clock.ts';

/** An L1 of named blocks: `a5` is block 5 of branch a. */
function scripted(head: number) {
  let branch = 'a';
  let branchedAt = 0;
  let time = 0;
  const asked: number[] = [];
  const warmed: number[] = [];
  const failing = new Set<number>();
  const nameOf = (number: number) => `0x${number >= branchedAt ? branch : 'a'}${number}`;
  const take = prefetchBlocks({
    async read(number) {
      asked.push(number);
      if (failing.delete(number)) throw new Error('L1 is away');
      if (number > head) return null;
      return { number, hash: nameOf(number), parentHash: nameOf(number - 1) } as L1Header;
    },
    mayRead: (number) => number <= head,
    blocks: 3,
    warm: async ({ number }) => warmed.push(number),
    now: () => time,
  });
  const taken = async (number: number) => (await take(number))?.hash;
  return {
    asked,
    warmed,
    failing,
    taken,
    pass: (ms: number) => {
      time += ms;
    },
    reorg(name: string, from: number) {
      branch = name;
      branchedAt = from;
    },
  };
}

describe('reading L1 ahead', () => {
  it('asks for each block once, and for the next ones before they are wanted', async () => {
    const { asked, warmed, taken } = scripted(6);
    expect(await taken(1)).toBe('0xa1');
    expect(asked).toEqual([1]);
    expect(await taken(2)).toBe('0xa2');
    await settle();
    expect([asked, warmed]).toEqual([
      [1, 2, 3, 4, 5],
      [3, 4, 5],
    ]);
    for (const number of [3, 4, 5, 6]) expect(await taken(number)).toBe(`0xa${number}`);
    expect(asked).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await taken(7)).toBeUndefined();
  });

  it('asks again for what was read before L1 was reorganised', async () => {
    const { asked, taken, reorg } = scripted(9);
    for (const number of [1, 2]) await taken(number);
    await settle();
    reorg('b', 3);
    // Blocks 3 to 5 of branch a still follow one another; block 6, of branch b, does not follow them.
    for (const number of [3, 4, 5]) expect(await taken(number)).toBe(`0xa${number}`);
    expect(await taken(6)).toBe('0xb6');
    expect(asked.filter((number) => number === 6)).toHaveLength(2);
  });

  it('asks again for what was read long ago, and for all when it starts elsewhere', async () => {
    const { taken, reorg, pass } = scripted(9);
    for (const number of [1, 2]) await taken(number);
    await settle();
    reorg('b', 2);
    pass(3000);
    expect(await taken(3)).toBe('0xb3');
    expect(await taken(2)).toBe('0xb2');
    expect(await taken(3)).toBe('0xb3');
  });

  it('reports a failure to the reader of the block only', async () => {
    const { failing, taken } = scripted(9);
    failing.add(4).add(5);
    for (const number of [1, 2, 3]) await taken(number);
    await settle();
    await expect(taken(4)).rejects.toThrow('L1 is away');
    expect(await taken(4)).toBe('0xa4');
  });
});
