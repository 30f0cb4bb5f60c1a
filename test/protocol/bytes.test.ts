import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes, concat, toBigInt, toNumber, u64be, u64le, u256be, uintBe } from '../../src/protocol/bytes.ts';
import { bytesToHex, hexLength, hexToBytes, hexToSized, quantity, sameHex } from '../../src/protocol/hex.ts';

describe('hex', () => {
  test('round trips and agrees with Buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 10_000 }), (bytes) => {
        const hex = bytesToHex(bytes);
        expect(hex).toBe(`0x${Buffer.from(bytes).toString('hex')}`);
        expect(hexToBytes(hex)).toEqual(bytes);
        expect(hexToBytes(`0x${hex.slice(2).toUpperCase()}`)).toEqual(bytes);
        expect(hexLength(hex)).toBe(bytes.length);
      }),
    );
  });

  test.each(['', '0', '0x1', '1234', '0xzz', '0x0g', '0x1:', '0x`1', '0x@a'])('rejects %j', (text) => {
    expect(() => hexToBytes(text)).toThrow(expect.objectContaining({ code: 'hex-malformed' }));
  });

  test('knows sizes, quantities and equality', () => {
    expect(() => hexToSized('0x1234', 3)).toThrow(/expected 3 bytes/);
    expect(quantity(0)).toBe('0x0');
    expect(quantity(2n ** 64n)).toBe('0x10000000000000000');
    expect(sameHex('0xAb', '0xaB')).toBe(true);
  });
});

describe('integers', () => {
  test('round trip in big-endian of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        expect(toBigInt(u256be(value))).toBe(value);
      }),
    );
    fc.assert(fc.property(fc.maxSafeNat(), (value) => toNumber(u64be(value)) === value));
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 400n }), (value) => toBigInt(uintBe(value, 51)) === value));
    expect(u64le(258)).toEqual(Uint8Array.of(2, 1, 0, 0, 0, 0, 0, 0));
  });

  test('are refused when they do not fit', () => {
    expect(() => uintBe(65_536, 2)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
    expect(() => uintBe(-1, 2)).toThrow(expect.objectContaining({ code: 'out-of-range' }));
    expect(() => toNumber(u64be(2n ** 53n))).toThrow(/exceeds 2\^53/);
  });

  test('compare by content as byte strings', () => {
    expect(concat(Uint8Array.of(1), Uint8Array.of(2, 3))).toEqual(Uint8Array.of(1, 2, 3));
    expect(compareBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBeLessThan(0);
    expect(compareBytes(Uint8Array.of(2), Uint8Array.of(1, 9))).toBeGreaterThan(0);
  });
});
