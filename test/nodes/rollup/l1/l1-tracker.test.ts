import { describe, expect, it } from 'vitest';
import type { L1Client } from '../../../../src/nodes/rollup/l1/client.ts';
import { confDepth } from '../../../../src/nodes/rollup/l1/conf-depth.ts';
import { l1Tracker } from '../../../../src/nodes/rollup/l1/l1-tracker.ts';
import type { Hex, L1Header } from '../../../../src/protocol/types.ts';

const hashOf = (name: string) => `0x${Buffer.from(name.padEnd(32, '.')).toString('hex')}` as Hex;

/** `a3` is block 3 of branch a; its parent is `a2`, or what is given. */
function header(name: string, parent?: string): L1Header {
  const number = Number(name.slice(1));
  return {
    hash: hashOf(name),
    number,
    parentHash: hashOf(parent ?? `${name[0]}${number - 1}`),
    timestamp: number * 2,
    mixHash: hashOf('mix'),
    baseFeePerGas: 1n,
  };
}

describe('announced L1 heads', () => {
  it.each([
    ['the next block', ['a1', 'a2'], 'a3', 'extends', [1, 2, 3]],
    ['a later block', ['a1', 'a2'], 'a5', 'gap', [5]],
    ['another block of the same height', ['a1', 'a2'], 'b2', 'reorg', [2]],
    ['a lower block of another branch', ['a1', 'a2', 'a3'], 'b1', 'reorg', [1]],
    ['the next height of another branch', ['a1', 'a2'], 'b3', 'reorg', [3]],
  ] as const)('are canonical as the last head says, after %s', (_, before, next, change, canonical) => {
    const heads = l1Tracker(10);
    for (const name of before) heads.note('latest', header(name));
    expect(heads.note('latest', header(next))).toBe(change);
    expect([0, 1, 2, 3, 4, 5].filter((number) => heads.at(number) !== undefined)).toEqual(canonical);
    expect(heads.latest).toEqual(header(next));
  });

  it('are forgotten when they are old', () => {
    const heads = l1Tracker(3);
    for (let number = 1; number <= 9; number++) heads.note('latest', header(`a${number}`));
    expect(heads.at(6)).toBeUndefined();
    expect(heads.at(7)).toEqual(header('a7'));
  });

  it.each([
    [0, 5, true],
    [0, 6, false],
    [2, 3, true],
    [2, 4, false],
  ])('with %i confirmations hide or show block %i: %s', async (confirmations, number, isShown) => {
    const heads = l1Tracker(10);
    heads.note('latest', header('a5'));
    const heights: number[] = [];
    const client = {
      headerByNumber: async (at: number) => {
        heights.push(at);
        return header(`a${at}`);
      },
    } as unknown as L1Client;
    const chain = confDepth(client, heads, async () => null, confirmations);
    expect(await chain.headerByNumber(number)).toEqual(isShown ? header(`a${number}`) : null);
    // Known and future blocks cost no request.
    expect(heights).toEqual(isShown && number !== 5 ? [number] : []);
  });
});
