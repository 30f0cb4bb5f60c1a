import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeSingularBatch } from '../../../src/protocol/codec/singular-batch.ts';
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
