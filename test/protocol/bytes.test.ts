import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bigIntBytes,
  byteAt,
  compareBytes,
  concat,
  concatAll,
  setBits,
  toBigInt,
  toNumber,
  u16be,
  u32be,
  u64be,
  u64le,
  u256be,
  u256le,
  uintBe,
  withoutLeadingZeros,
} from '../../src/protocol/bytes.ts';
import { bytesToHex, hexLength, hexToBytes, hexToSized, lowerHex, quantity, sameHex } from '../../src/protocol/hex.ts';

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
    expect(hexToSized('0x1234', 2)).toEqual(Uint8Array.of(0x12, 0x34));
    expect([sameHex('0xAb', '0xaB'), sameHex('0xab', '0xab'), sameHex('0xab', '0xac')]).toEqual([true, true, false]);
    expect(lowerHex('0XABcd')).toBe('0xabcd');
  });

  test('shows at most 80 characters of a malformed text', () => {
    const problemOf = (text: string) => {
      try {
        hexToBytes(text);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    const text = 'z'.repeat(80);
    expect(problemOf(text)).toMatchObject({ data: { value: text }, handling: 'drop' });
    expect(problemOf(`${text}z`)).toMatchObject({ data: { value: `${text}… (81 characters)` } });
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

  test.each<[bigint, string]>([
    [0n, ''],
    [1n, '01'],
    [255n, 'ff'],
    [256n, '0100'],
    [2n ** 64n - 1n, 'ff'.repeat(8)],
    [2n ** 64n, `01${'00'.repeat(8)}`],
    [2n ** 256n - 1n, 'ff'.repeat(32)],
    [2n ** 256n, `01${'00'.repeat(32)}`],
    [2n ** 260n + 0xabcn, `10${'00'.repeat(30)}0abc`],
  ])('%s has the shortest big-endian bytes "%s"', (value, hex) => {
    expect(Buffer.from(bigIntBytes(value)).toString('hex')).toBe(hex);
    expect(toBigInt(Uint8Array.from(Buffer.from(hex, 'hex')))).toBe(value);
  });

  test.each<[string, Uint8Array, string]>([
    ['u16be', u16be(0x102), '0102'],
    ['u32be', u32be(0x1020304), '01020304'],
    ['u64be of a number', u64be(0x102), '0000000000000102'],
    ['u64be of a bigint', u64be(0x102n), '0000000000000102'],
    ['u64be of zero', u64be(0), '0000000000000000'],
    ['u64be of the largest', u64be(2n ** 64n - 1n), 'ffffffffffffffff'],
    ['u64le', u64le(0x102n), '0201000000000000'],
    ['u256be', u256be(0x102), `${'00'.repeat(30)}0102`],
    ['u256le', u256le(0x102), `0201${'00'.repeat(30)}`],
    ['the largest of two bytes', uintBe(65_535, 2), 'ffff'],
  ])('%s has its size', (_, bytes, hex) => {
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
  });

  test.each<[bigint | number, number]>([
    [65_536, 2],
    [65_536n, 2],
    [2n ** 64n, 8],
    [-1, 2],
    [-1n, 2],
  ])('%s is refused in %i bytes', (value, size) => {
    expect(() => uintBe(value, size)).toThrow(
      expect.objectContaining({ code: 'out-of-range', handling: 'drop', data: { field: `u${size * 8}`, value } }),
    );
  });

  test('of a part of the bytes are those from start to stop', () => {
    const bytes = Uint8Array.from({ length: 20 }, (_, at) => at + 1);
    for (const [start, stop] of [
      [0, 20],
      [3, 3],
      [3, 4],
      [1, 7],
      [1, 8],
      [2, 14],
    ] as const)
      expect(toBigInt(bytes, start, stop)).toBe(
        bytes.subarray(start, stop).reduce((value, byte) => value * 256n + BigInt(byte), 0n),
      );
    expect(toBigInt(bytes, 18)).toBe(0x1314n);
  });

  test('are numbers up to the largest safe one', () => {
    expect(toNumber(u64be(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
    expect(toNumber(new Uint8Array())).toBe(0);
    expect(() => toNumber(u64be(2n ** 53n))).toThrow(
      expect.objectContaining({ code: 'out-of-range', handling: 'drop', data: { field: 'integer', value: 2 ** 53 } }),
    );
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
    expect(compareBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(0);
    expect(compareBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBeLessThan(0);
  });
});

describe('bytes', () => {
  test('of several parts stand one after another', () => {
    expect(concatAll([Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3), Uint8Array.of(4)])).toEqual(
      Uint8Array.of(1, 2, 3, 4),
    );
  });

  test('past the end are zero, and bits are added to a byte', () => {
    const bytes = Uint8Array.of(1, 0x81);
    setBits(bytes, 1, 0x11);
    expect([byteAt(bytes, 0), byteAt(bytes, 1), byteAt(bytes, 2)]).toEqual([1, 0x91, 0]);
  });

  test.each([
    [[], []],
    [[0, 0], []],
    [
      [0, 1, 0],
      [1, 0],
    ],
    [[5], [5]],
  ])('%j without leading zeros are %j', (bytes, rest) => {
    expect([...withoutLeadingZeros(Uint8Array.from(bytes))]).toEqual(rest);
  });
});
