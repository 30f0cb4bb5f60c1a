import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asBigInt, asList, type RlpItem, rlpDecode, rlpEncode, rlpUint } from '../../../src/protocol/codec/rlp.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';

const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, fc.uint8Array({ maxLength: 80 }), fc.array(tie('item'), { maxLength: 5 })),
}));

describe('RLP', () => {
  test('encodes as an independent implementation does, and decodes what it encoded', () => {
    fc.assert(
      fc.property(item, (value) => {
        const encoded = rlpEncode(value);
        expect(encoded).toEqual(RLP.encode(value as never));
        expect(rlpDecode(encoded)).toEqual(value);
      }),
    );
  });

  test.each([
    ['bytes after the item', '0x8001'],
    ['a byte that should stand for itself', '0x8101'],
    ['a length with a leading zero', `0xb90038${'00'.repeat(56)}`],
    ['a long form for a short string', `0xb805${'00'.repeat(5)}`],
    ['an item that reaches past the end', '0x83aabb'],
    ['a list item that reaches past its list', '0xc283aabb'],
    ['no bytes', '0x'],
    ['lists that nest without end', `0x${'f90400'.repeat(500)}`],
  ])('rejects %s', (_, hex) => {
    expect(() => rlpDecode(hexToBytes(hex))).toThrow(
      expect.objectContaining({ code: 'rlp-malformed', handling: 'drop' }),
    );
  });

  test('rejects integers with leading zeros, too many bytes, or of another kind', () => {
    expect(() => asBigInt(Uint8Array.of(0, 1), 'nonce')).toThrow(/leading zeros/);
    expect(() => asBigInt(new Uint8Array(33).fill(1), 'value')).toThrow(/at most 32 bytes/);
    expect(() => asBigInt([], 'value')).toThrow(/byte string/);
    expect(() => asList([], 'batch', 5)).toThrow(/must have 5 items, has 0/);
  });

  test('round trips integers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.maxSafeNat()), (value) => {
        expect(asBigInt(rlpUint(value), 'value')).toBe(BigInt(value));
      }),
    );
  });
});
