import { describe, expect, it } from 'vitest';
import { createFinality } from '../../../../src/protocol/derivation/pipeline/finality.ts';
import type { Hex, L1BlockRef, L2BlockRef } from '../../../../src/protocol/types.ts';

const hashOf = (byte: number): Hex => `0x${byte.toString(16).padStart(2, '0').repeat(32)}`;
const l1 = (number: number, hash = hashOf(number)): L1BlockRef => ({
  number,
  hash,
  parentHash: hashOf(number - 1),
  timestamp: 12 * number,
});
const l2 = (number: number): L2BlockRef => ({
  number,
  hash: hashOf(0x80 + number),
  parentHash: hashOf(0x7f + number),
  timestamp: 2 * number,
  l1origin: { number: 1, hash: hashOf(1) },
  sequenceNumber: 0,
});

/** Records safe heads: of L2 block 2 from L1 block 10, of 4 from 12, and of 6 from 14. */
function recorded() {
  const finality = createFinality();
  for (const [from, head] of [
    [10, 2],
    [12, 4],
    [14, 6],
  ] as const)
    finality.safeHead(l1(from), l2(head));
  return finality;
}

describe('the finality of L1', () => {
  it.each([
    [9, null],
    [10, 2],
    [11, 2],
    [12, 4],
    [13, 4],
    [14, 6],
    [99, 6],
  ])('of block %i finalizes what was derived up to it: L2 block %s', (number, head) => {
    expect(recorded().finalizedBy(l1(number))).toEqual(head === null ? null : l2(head));
  });

  it('finalizes each L2 block once, and goes on with the next', () => {
    const finality = recorded();
    expect(finality.finalizedBy(l1(12))).toEqual(l2(4));
    expect(finality.finalizedBy(l1(12))).toBeNull();
    expect(finality.finalizedBy(l1(13))).toBeNull();
    expect(finality.finalizedBy(l1(14))).toEqual(l2(6));
  });

  it('finalizes nothing when its block has the number of another, until a later block is final', () => {
    const finality = recorded();
    expect(finality.finalizedBy(l1(12, hashOf(0x99)))).toBeNull();
    expect(finality.finalizedBy(l1(13))).toEqual(l2(4));
  });

  it('finalizes the newest safe head of an L1 block, and none that an older L1 block gave before', () => {
    const finality = createFinality();
    finality.safeHead(l1(10), l2(2));
    finality.safeHead(l1(10), l2(3));
    expect(finality.finalizedBy(l1(10))).toEqual(l2(3));
    finality.safeHead(l1(14), l2(6));
    finality.safeHead(l1(12), l2(5));
    expect(finality.finalizedBy(l1(20))).toEqual(l2(5));
  });

  it('forgets the safe heads of later L1 blocks when an earlier one gives another', () => {
    const finality = createFinality();
    for (const [from, head] of [
      [10, 2],
      [14, 6],
      [12, 5],
    ] as const)
      finality.safeHead(l1(from), l2(head));
    expect(finality.finalizedBy(l1(13))).toEqual(l2(5));
    expect(finality.finalizedBy(l1(20))).toBeNull();
  });

  it('does not go back to a block that is final already', () => {
    const finality = recorded();
    finality.finalizedBy(l1(14));
    finality.safeHead(l1(15), l2(6));
    expect(finality.finalizedBy(l1(15))).toBeNull();
    finality.safeHead(l1(16), l2(5));
    expect(finality.finalizedBy(l1(16))).toBeNull();
    finality.safeHead(l1(17), l2(7));
    expect(finality.finalizedBy(l1(17))).toEqual(l2(7));
  });

  it('finalizes the genesis block', () => {
    const finality = createFinality();
    finality.safeHead(l1(1), l2(0));
    expect(finality.finalizedBy(l1(1))).toEqual(l2(0));
  });

  it('knows nothing of L1 blocks that a reorganisation removed, or of none after a reset', () => {
    const finality = recorded();
    finality.reset(12);
    expect(finality.finalizedBy(l1(99))).toEqual(l2(2));
    const other = recorded();
    other.reset();
    expect(other.finalizedBy(l1(99))).toBeNull();
  });

  it('is as it was remembered, each time that it is restored', () => {
    const finality = recorded();
    const restore = finality.remember();
    for (const _ of [1, 2]) {
      finality.safeHead(l1(20), l2(9));
      expect(finality.finalizedBy(l1(20))).toEqual(l2(9));
      restore();
      expect(finality.finalizedBy(l1(12))).toEqual(l2(4));
      expect(finality.finalizedBy(l1(20))).toEqual(l2(6));
      restore();
    }
  });
});
