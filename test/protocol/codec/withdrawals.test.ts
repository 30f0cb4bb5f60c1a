import { genWithdrawalsTrieRoot } from '@ethereumjs/block';
import { createWithdrawal } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  noWithdrawals,
  withdrawalItem,
  withdrawalOf,
  withdrawalsFromJson,
  withdrawalsRoot,
  withdrawalsToJson,
} from '../../../src/protocol/codec/withdrawals.ts';
import { EMPTY_TRIE_ROOT } from '../../../src/protocol/execution/constants.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { address, uint64 } from '../arbitrary.ts';

const withdrawals = fc.array(fc.record({ index: uint64, validatorIndex: uint64, address, amount: uint64 }), {
  maxLength: 16,
});
const one = { index: 1n, validatorIndex: 2n, address: `0x${'ab'.repeat(20)}`, amount: 0n } as const;

describe('withdrawals', () => {
  test('round trip as JSON and as RLP', () => {
    fc.assert(
      fc.property(withdrawals, (list) => {
        expect(withdrawalsFromJson(withdrawalsToJson(list), 'payload')).toEqual(list);
        expect(list.map((each) => withdrawalOf(withdrawalItem(each)))).toEqual(list);
      }),
    );
  });

  test('are spelt as the Engine API does', () => {
    expect(withdrawalsToJson([one])).toEqual([
      { index: '0x1', validatorIndex: '0x2', address: one.address, amount: '0x0' },
    ]);
  });

  test('have the root that another implementation computes', async () => {
    expect(withdrawalsRoot([])).toBe(EMPTY_TRIE_ROOT);
    const list = Array.from({ length: 5 }, (_, at) => ({ ...one, index: BigInt(at), amount: BigInt(at) * 1000n }));
    const root = await genWithdrawalsTrieRoot(list.map((each) => createWithdrawal(each)));
    expect(withdrawalsRoot(list)).toBe(bytesToHex(root));
  });

  test.each([
    ['index', { index: 1 }],
    ['validatorIndex', { validatorIndex: null }],
    ['address', { address: '0xab' }],
    ['amount', { amount: 'x' }],
  ])('are refused with a wrong %s, by its place', (field, change) => {
    const [json] = withdrawalsToJson([one]);
    expect(() => withdrawalsFromJson([json, { ...json, ...change }], 'payload')).toThrow(
      expect.objectContaining({
        code: 'json-malformed',
        handling: 'drop',
        message: expect.stringContaining(`payload.withdrawals[1].${field}`),
      }),
    );
  });

  test('are refused as RLP by the name of a field', () => {
    const item = withdrawalItem(one) as readonly Uint8Array[];
    for (const [at, name] of ['index', 'validatorIndex', 'address', 'amount'].entries())
      expect(() => withdrawalOf(item.map((each, index) => (index === at ? [] : each)))).toThrow(
        `${name} must be a byte string`,
      );
    expect(() => withdrawalOf(item.slice(1))).toThrow('withdrawal must have 4 items');
  });

  test('must be absent from a rollup', () => {
    expect(noWithdrawals([], 'payload')).toEqual([]);
    expect(() => noWithdrawals([one], 'payload')).toThrow(
      expect.objectContaining({ code: 'payload-invalid', handling: 'drop', data: { field: 'withdrawals' } }),
    );
  });
});
