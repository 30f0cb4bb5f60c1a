import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, hexToBytesAll, hexToBytesJoined } from '../../src/protocol/hex.ts';

/** Short ones go through loops, long ones through the runtime's codec. */
const bytes = fc.uint8Array({ maxLength: 300 });

describe('hex of bytes', () => {
  it('is that of each byte, whatever its length, and back, in upper case too', () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const hex = `0x${Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
        expect(bytesToHex(data)).toBe(hex);
        expect(bytesToHex(Uint8Array.of(1, ...data, 2).subarray(1, data.length + 1))).toBe(hex);
        expect(hexToBytes(hex)).toEqual(data);
        expect(hexToBytes(`0x${hex.slice(2).toUpperCase()}`)).toEqual(data);
      }),
    );
  });

  it('of a list is that of its items', () => {
    fc.assert(
      fc.property(fc.array(bytes), (list) => {
        const hex = list.map(bytesToHex);
        expect(hexToBytesAll(hex)).toEqual(list);
        expect(bytesToHex(hexToBytesJoined(hex))).toBe(`0x${hex.map((text) => text.slice(2)).join('')}`);
      }),
    );
  });

  it.each([
    '',
    '00',
    '0x0',
    '0xzz',
    `0x${'ab'.repeat(100)}z0`,
    `0x${'ab'.repeat(100)}0`,
    `0x${'ab'.repeat(60)}0x${'ab'.repeat(60)}`,
    `0x${'a€'.repeat(100)}`,
  ])('is refused when malformed: %s', (text) => {
    expect(() => hexToBytes(text)).toThrow('expected');
    expect(() => hexToBytesAll(['0x00', text])).toThrow('expected');
  });

  it('of a list is refused when two items have half a byte each', () => {
    expect(() => hexToBytesAll(['0x0', '0x1'])).toThrow('expected even-length hex');
  });
});
