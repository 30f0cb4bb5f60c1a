import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RlpItem, rlpEncode } from '../../../src/protocol/codec/rlp.ts';
import { decodeSingularBatch, encodeSingularBatch } from '../../../src/protocol/codec/singular-batch.ts';
import { decodeBatch } from '../../../src/protocol/derivation/batch/batch-data.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import { data, hash } from '../arbitrary.ts';

const batch = fc.record({
  parentHash: hash,
  epochNum: fc.maxSafeNat(),
  epochHash: hash,
  timestamp: fc.maxSafeNat(),
  transactions: fc.array(data(100), { maxLength: 5 }),
});

describe('singular batch', () => {
  test('round trips through its version byte', () => {
    fc.assert(
      fc.property(batch, (value) => {
        expect(decodeBatch(encodeSingularBatch(value))).toEqual({ kind: 'singular', batch: value });
      }),
    );
  });

  test.each([
    ['no bytes', '0x'],
    ['an unknown version', '0x02c0'],
    ['too few fields', '0x00c0'],
    ['a parent hash of another size', '0x00c50180800180'],
    ['a transaction that is a list', `0x00f848a0${'00'.repeat(32)}01a0${'00'.repeat(32)}02c1c0`],
  ])('is dropped for %s', (_, hex) => {
    expect(() => decodeBatch(hexToBytes(hex))).toThrow(expect.objectContaining({ handling: 'drop' }));
  });
});

describe('a singular batch of the wrong shape', () => {
  const bytes = (size: number) => new Uint8Array(size).fill(1);
  const fields: readonly RlpItem[] = [bytes(32), bytes(1), bytes(32), bytes(1), [bytes(3)]];
  const decode = (at: number, item: RlpItem) => () =>
    decodeSingularBatch(rlpEncode(fields.map((each, index) => (index === at ? item : each))));

  test('is one with a field changed: those of the table are right', () => {
    expect(decode(-1, [])().transactions).toEqual(['0x010101']);
  });

  test.each([
    ['parent_hash', 0, 31],
    ['parent_hash', 0, 33],
    ['epoch_hash', 2, 31],
    ['epoch_hash', 2, 0],
  ] as const)('is refused by its field %s', (field, at, size) => {
    expect(decode(at, bytes(size))).toThrow(
      expect.objectContaining({ code: 'batch-malformed', handling: 'drop', data: { field } }),
    );
  });

  test('is refused with an item of another kind, by its name', () => {
    for (const [at, field] of ['parent_hash', 'epoch_number', 'epoch_hash', 'timestamp'].entries())
      expect(decode(at, [])).toThrow(`${field} must be a byte string`);
    expect(decode(4, bytes(1))).toThrow('transaction_list must be a list');
    expect(decode(4, [[]])).toThrow('transaction must be a byte string');
    expect(() => decodeSingularBatch(rlpEncode([]))).toThrow('batch must have 5 items');
  });
});
