import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody } from '../../../../src/nodes/execution/chain/body.ts';
import { rlpDecode, rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { addressOf } from '../views/sample-block.ts';

const transactions = [Uint8Array.of(2, 1), Uint8Array.of(0xc2, 1, 2), Uint8Array.of(0x7e)];
const withdrawals = [
  { index: 1n, validatorIndex: 2n, address: addressOf(9), amount: 3n },
  { index: 2n, validatorIndex: 0n, address: addressOf(8), amount: 2n ** 64n - 1n },
];

describe('the stored body of a block', () => {
  it.each([
    ['transactions alone', { transactions, withdrawals: [] }, 3],
    ['transactions and withdrawals', { transactions, withdrawals }, 4],
    ['withdrawals alone', { transactions: [], withdrawals }, 1],
    ['nothing', { transactions: [], withdrawals: [] }, 0],
  ])('keeps %s', (_, body, items) => {
    const encoded = encodeBody(body);
    expect(decodeBody(encoded)).toEqual(body);
    expect(rlpDecode(encoded)).toHaveLength(items);
  });

  it('is refused when it is a byte string', () => {
    expect(() => decodeBody(rlpEncode(Uint8Array.of(1, 2)))).toThrow('body must be a list');
  });
});
