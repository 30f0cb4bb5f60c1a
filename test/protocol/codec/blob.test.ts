import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOB_SIZE, decodeBlob, encodeBlob, MAX_BLOB_DATA_SIZE } from '../../../src/protocol/codec/blob.ts';

const filled = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 131 + (index >> 8) + 255) & 255);
/** Whether bytes are the same. The matcher takes a second for those of a blob. */
const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

describe('blob', () => {
  test.each([0, 1, 27, 28, 123, 124, 127, 128, 130_043, MAX_BLOB_DATA_SIZE])(
    'carries %i bytes in canonical field elements',
    (length) => {
      const blob = encodeBlob(filled(length));
      expect(blob.length).toBe(BLOB_SIZE);
      expect(blob.every((byte, at) => at % 32 !== 0 || byte < 0x40)).toBe(true);
      expect(isSame(decodeBlob(blob), filled(length))).toBe(true);
    },
  );

  test('round trips', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (data) => {
        expect(isSame(decodeBlob(encodeBlob(data)), data)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('lays out version, length and the first 27 bytes in the first element', () => {
    const blob = encodeBlob(filled(1000));
    expect([...blob.subarray(1, 5)]).toEqual([0, 0, 3, 232]);
    expect(blob.subarray(5, 32)).toEqual(filled(1000).subarray(0, 27));
  });

  test('refuses data over its capacity', () => {
    expect(() => encodeBlob(new Uint8Array(MAX_BLOB_DATA_SIZE + 1))).toThrow(
      expect.objectContaining({
        code: 'out-of-range',
        handling: 'drop',
        data: { field: 'data', value: MAX_BLOB_DATA_SIZE + 1 },
      }),
    );
  });

  const broken = (at: number, value: number) => {
    const blob = encodeBlob(filled(100));
    blob[at] = value;
    return blob;
  };
  /** A blob without data whose header has another length. */
  const ofLength = (length: number) => {
    const blob = encodeBlob(new Uint8Array());
    blob.set([length >> 16, (length >> 8) & 255, length & 255], 2);
    return blob;
  };
  test.each<[string, Uint8Array, number]>([
    ['another size', new Uint8Array(BLOB_SIZE - 1), 0],
    ['another version', broken(1, 1), 1],
    ['a length that cannot be', broken(2, 255), 2],
    ['a length of one byte more than it holds', ofLength(MAX_BLOB_DATA_SIZE + 1), 2],
    ['a field element above the modulus', broken(32, 0x40), 32],
    ['the first field element of a later round above the modulus', broken(128, 0x40), 128],
    ['the last field element above the modulus', broken(BLOB_SIZE - 32, 0x40), BLOB_SIZE - 32],
    ['the first byte after the data', broken(105, 1), 104],
    ['bytes after the data in the same round', broken(110, 1), 109],
    ['bytes in a later round', broken(5000, 1), 39 * 127 + 7],
    ['a bit in a later first byte', broken(BLOB_SIZE - 32, 1), 1023 * 127 + 63],
  ])('is dropped for %s', (_, blob, offset) => {
    expect(() => decodeBlob(blob)).toThrow(
      expect.objectContaining({ code: 'blob-malformed', handling: 'drop', data: { offset } }),
    );
  });

  test('may have the top bits of its first byte set, as in op-service and kona', () => {
    expect(decodeBlob(broken(0, encodeBlob(filled(100))[0]! | 0xc0))).toEqual(filled(100));
  });

  test('may hold zeros up to its capacity', () => {
    expect(isSame(decodeBlob(ofLength(MAX_BLOB_DATA_SIZE)), new Uint8Array(MAX_BLOB_DATA_SIZE))).toBe(true);
  });
});
