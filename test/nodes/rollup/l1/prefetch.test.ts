import { describe, expect, it } from 'vitest';
import { prefetchBlocks } from '../../../../src/nodes/rollup/l1/prefetch.ts';
import type { L1Header } from '../../../../src/protocol/types.ts';
import { settle } from '../support/clock.ts';

/** An L1 of named blocks: `a5` is block 5 of branch a. */
function scripted(head: number) {
  let branch = 'a';
  let branchedAt = 0;
  let time = 0;
  const requests: number[] = [];
  const warmed: number[] = [];
  const failing = new Set<number>();
  const nameOf = (number: number) => `0x${number >= branchedAt ? branch : 'a'}${number}`;
  const take = prefetchBlocks({
    async read(number) {
      requests.push(number);
      if (failing.delete(number)) throw new Error('L1 is away');
      if (number > head) return null;
      return { number, hash: nameOf(number), parentHash: nameOf(number - 1) } as L1Header;
    },
    mayRead: (number) => number <= head,
    blocks: 3,
    warm: async ({ number }) => warmed.push(number),
    now: () => time,
  });
  const hashAt = async (number: number) => (await take(number))?.hash;
  return {
    requests,
    warmed,
    failing,
    hashAt,
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
  it('requests each block once, and the next ones in advance', async () => {
    const { requests, warmed, hashAt } = scripted(6);
    expect(await hashAt(1)).toBe('0xa1');
    expect(requests).toEqual([1]);
    expect(await hashAt(2)).toBe('0xa2');
    await settle();
    expect([requests, warmed]).toEqual([
      [1, 2, 3, 4, 5],
      [3, 4, 5],
    ]);
    for (const number of [3, 4, 5, 6]) expect(await hashAt(number)).toBe(`0xa${number}`);
    expect(requests).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await hashAt(7)).toBeUndefined();
  });

  it('requests blocks again after a reorganisation of L1', async () => {
    const { requests, hashAt, reorg } = scripted(9);
    for (const number of [1, 2]) await hashAt(number);
    await settle();
    reorg('b', 3);
    // Blocks 3 to 5 of branch a still follow one another; block 6, of branch b, does not follow them.
    for (const number of [3, 4, 5]) expect(await hashAt(number)).toBe(`0xa${number}`);
    expect(await hashAt(6)).toBe('0xb6');
    expect(requests.filter((number) => number === 6)).toHaveLength(2);
  });

  it('requests old blocks again, and all when it starts at another block', async () => {
    const { hashAt, reorg, pass } = scripted(9);
    for (const number of [1, 2]) await hashAt(number);
    await settle();
    reorg('b', 2);
    pass(3000);
    expect(await hashAt(3)).toBe('0xb3');
    expect(await hashAt(2)).toBe('0xb2');
    expect(await hashAt(3)).toBe('0xb3');
  });

  it('reports a failure to the reader of the block only', async () => {
    const { failing, hashAt } = scripted(9);
    failing.add(4).add(5);
    for (const number of [1, 2, 3]) await hashAt(number);
    await settle();
    await expect(hashAt(4)).rejects.toThrow('L1 is away');
    expect(await hashAt(4)).toBe('0xa4');
  });
});
