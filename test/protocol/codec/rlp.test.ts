import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asBigInt,
  asBytes,
  asList,
  asNumber,
  checkInteger,
  RlpEncoded,
  type RlpItem,
  rlpDecode,
  rlpEncode,
  rlpHead,
  rlpListOfEncoded,
  rlpSpan,
  rlpUint,
} from '../../../src/protocol/codec/rlp.ts';
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

  test('encodes an item with parts that are encoded already as it encodes the whole', () => {
    fc.assert(
      fc.property(item, item, (left, right) => {
        const parts = [left, new RlpEncoded(rlpEncode(right)), [new RlpEncoded(rlpEncode(left))]];
        expect(rlpEncode(parts)).toEqual(rlpEncode([left, right, [left]]));
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

  test.each([1, 8, 32])('reads an integer of at most %i bytes', (most) => {
    const ones = (bytes: number) => new Uint8Array(bytes).fill(1);
    expect(asBigInt(ones(most), 'gas', most)).toBe(BigInt(`0x${'01'.repeat(most)}`));
    expect(() => asBigInt(ones(most + 1), 'gas', most)).toThrow(
      `gas must be an integer of at most ${most} bytes, has ${most + 1}`,
    );
  });

  test('round trips integers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.maxSafeNat()), (value) => {
        expect(asBigInt(rlpUint(value), 'value')).toBe(BigInt(value));
      }),
    );
  });
});

describe('lengths of RLP', () => {
  test.each([0, 1, 55, 56, 255, 256, 65_535, 65_536, 70_000])('%i bytes, as an independent implementation', (size) => {
    const value = new Uint8Array(size).fill(0x81);
    const encoded = rlpEncode(value);
    const texts = (...each: readonly Uint8Array[]) => each.map((bytes) => Buffer.from(bytes).toString('latin1'));
    const [one, two] = [RLP.encode(value), RLP.encode([value, value])];
    const list = rlpListOfEncoded([encoded, encoded]);
    expect(texts(encoded, rlpEncode([value, value]), list)).toEqual(texts(one, two, two));
    expect(texts(asBytes(rlpDecode(encoded), 'value'))).toEqual(texts(value));
  });

  test.each<[string, string, number]>([
    ['a length that is cut off', '0xb9', 0],
    ['a length whose second byte is cut off', '0xb901', 0],
    ['an item that is one byte too long', '0x82aa', 0],
    ['the end of a list in an item', '0xc482aa', 0],
    ['an item beyond the end of its list', '0xc282aabb', 1],
    ['one byte after the item', '0x01ff', 1],
    ['no byte at all', '0x', 0],
    ['an item of no byte in a list', '0xc2c181', 2],
  ])('%s is refused at its byte', (_, hex, offset) => {
    expect(() => rlpDecode(hexToBytes(hex))).toThrow(
      expect.objectContaining({ code: 'rlp-malformed', handling: 'drop', data: { offset } }),
    );
  });

  test('64 lists inside each other are read, and 65 are not', () => {
    const nested = (depth: number) => {
      let item: RlpItem = [];
      for (let level = 1; level < depth; level++) item = [item];
      return () => rlpDecode(rlpEncode(item));
    };
    expect(nested(64)).not.toThrow();
    expect(nested(65)).toThrow('lists nest deeper than 64');
  });

  test.each([0, 0n, 1, 127, 128, 255, 256, Number.MAX_SAFE_INTEGER, 2n ** 53n, 2n ** 64n, 2n ** 255n])(
    'integer %s',
    (value) => {
      expect(rlpEncode(rlpUint(value))).toEqual(RLP.encode(value));
      expect(rlpUint(value).length).toBe(value === 0 || value === 0n ? 0 : Math.ceil(value.toString(2).length / 8));
    },
  );

  test('a list is no byte string, and the other way round', () => {
    for (const item of [undefined, new Uint8Array(0)]) expect(() => asList(item, 'x')).toThrow('x must be a list');
    expect(() => asList([], 'x', 1)).toThrow('x must have 1 items, has 0');
    const two = [new Uint8Array(1), []];
    expect([asList(two, 'x'), asList(two, 'x', 2), asList([], 'x')]).toEqual([two, two, []]);
  });
});

describe('the span of an item', () => {
  test.each<[string, number, object]>([
    ['0x05', 0, { list: false, start: 0, end: 1 }],
    ['0x80', 0, { list: false, start: 1, end: 1 }],
    ['0x8180', 0, { list: false, start: 1, end: 2 }],
    ['0xc0', 0, { list: true, start: 1, end: 1 }],
    ['0xc105', 0, { list: true, start: 1, end: 2 }],
    ['0xffc20505ff', 1, { list: true, start: 2, end: 4 }],
    [`0xb838${'00'.repeat(56)}ff`, 0, { list: false, start: 2, end: 58 }],
    [`0xf90100${'00'.repeat(256)}ff`, 0, { list: true, start: 3, end: 259 }],
  ])('of %s from byte %i ends before what follows it', (hex, offset, span) => {
    expect(rlpSpan(hexToBytes(hex), offset)).toEqual(span);
  });

  test.each([0, 1, 5])('is refused at byte %i, where the bytes end', (offset) => {
    expect(() => rlpSpan(new Uint8Array(offset).fill(1), offset)).toThrow(
      expect.objectContaining({ code: 'rlp-malformed', handling: 'drop', data: { offset } }),
    );
  });

  test.each(['0x82aa', '0xc2aa', '0xb838', `0xb838${'00'.repeat(55)}`])('is refused when %s ends before it', (hex) => {
    expect(() => rlpSpan(hexToBytes(hex), 0)).toThrow(
      expect.objectContaining({ code: 'rlp-malformed', handling: 'drop', data: { offset: 0 } }),
    );
  });

  test.each(['0x05', '0x8180', '0xc0', '0xc105', `0xb838${'00'.repeat(56)}`])('%s is the whole item', (hex) => {
    const bytes = hexToBytes(hex);
    expect(rlpSpan(bytes, 0).end).toBe(bytes.length);
    expect(rlpEncode(rlpDecode(bytes))).toEqual(bytes);
  });
});

test.each([0, 1, 55, 56, 255, 256, 65_535, 65_536])('the heads of a string and of a list of %i bytes', (size) => {
  const whole = RLP.encode(new Uint8Array(size).fill(0x81));
  // A single byte from 0x80 on has a head.
  expect(rlpHead(size, 'string')).toEqual(whole.subarray(0, whole.length - size));
  // That of a list begins 0x40 above that of a string.
  const [first = 0, ...rest] = rlpHead(size, 'string');
  expect([...rlpHead(size, 'list')]).toEqual([first + 0x40, ...rest]);
});

test('an integer is checked as it is read, by its field', () => {
  const ones = (bytes: number) => new Uint8Array(bytes).fill(1);
  for (const item of [new Uint8Array(), ones(1), ones(32)]) expect(() => checkInteger(item, 'gas')).not.toThrow();
  for (const item of [Uint8Array.of(0), ones(33), [], undefined])
    expect(() => checkInteger(item, 'gas')).toThrow(
      expect.objectContaining({ code: 'rlp-malformed', handling: 'drop' }),
    );
  expect(asNumber(Uint8Array.of(1, 0), 'gas')).toBe(256);
  expect(asNumber(rlpUint(Number.MAX_SAFE_INTEGER), 'gas')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => asNumber(rlpUint(2n ** 53n), 'gas')).toThrow(expect.objectContaining({ code: 'out-of-range' }));
  expect(() => asNumber(ones(9), 'gas')).toThrow('gas must be an integer of at most 8 bytes, has 9');
  expect(() => asNumber(undefined, 'gas')).toThrow('gas must be a byte string');
});
