import { expect, it } from 'vitest';
import type { Block } from '../../../../src/nodes/execution/chain/block.ts';
import { findTransaction } from '../../../../src/nodes/execution/chain/find-transaction.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { blockOf, hashOf, receiptOf } from '../views/sample-block.ts';

const [ONE, TWO, THREE] = [0xa1, 0xa2, 0xa3].map(hashOf) as [Hex, Hex, Hex];
const BLOCK = blockOf(
  [],
  [ONE, TWO].map((transactionHash) => receiptOf({ transactionHash })),
);

/** Finds a transaction by index entries. Block 7 is {@link BLOCK}, and block 8 is not stored. */
function found(hash: Hex, entries: readonly { readonly number: number; readonly position: number }[]) {
  const canonical = new Map([
    [7, BLOCK.hash],
    [8, hashOf(8)],
  ]);
  const keys: Hex[] = [];
  const chain = {
    store: {
      transactionPositions: (key: Hex) => {
        keys.push(key);
        return entries;
      },
    },
    canonicalHash: (number: number) => canonical.get(number),
    block: (of: Hex): Block | undefined => (of === BLOCK.hash ? BLOCK : undefined),
  };
  return { location: findTransaction(chain, hash), keys };
}

it('a transaction is found at its position, whatever the case of its hash', () => {
  const upper = `0x${TWO.slice(2).toUpperCase()}` as Hex;
  for (const hash of [TWO, upper])
    expect(found(hash, [{ number: 7, position: 1 }])).toEqual({ location: { block: BLOCK, position: 1 }, keys: [TWO] });
});

it.each([
  ['beyond the head', { number: 9, position: 1 }],
  ['of a block that is not stored', { number: 8, position: 1 }],
  ['of another transaction', { number: 7, position: 0 }],
  ['beyond the transactions of the block', { number: 7, position: 2 }],
])('an index entry %s is passed over', (_, entry) => {
  expect(found(TWO, [entry]).location).toBeUndefined();
  expect(found(TWO, [entry, { number: 7, position: 1 }]).location?.position).toBe(1);
});

it('a transaction without an index entry is not found', () => {
  expect(found(THREE, []).location).toBeUndefined();
});
