import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calldataGas, estimatedSizeScaled } from '../../../src/protocol/execution/data-gas.ts';
import { flzCompressLen } from '../../../src/protocol/execution/fastlz.ts';
import { CONTRACT_CALL, UNSIGNED_TRANSFER } from '../transactions.ts';

describe('FastLZ length', () => {
  test.each<[string, Uint8Array, number]>([
    ['no bytes', new Uint8Array(0), 0],
    ['three bytes', Uint8Array.of(0xfa, 0xca, 0xde), 4],
    ['a thousand ones', new Uint8Array(1000).fill(1), 21],
    ['a thousand zeros', new Uint8Array(1000), 21],
    ['a bare transfer', UNSIGNED_TRANSFER, 31],
    ['a contract call', CONTRACT_CALL, 202],
  ])('of %s', (_, data, expected) => {
    expect(flzCompressLen(data)).toBe(expected);
  });

  test.each([
    [1, 2],
    [32, 33],
    [33, 35],
    [64, 66],
    [65, 68],
  ])('of %d bytes without a match is %d: one byte more for each run of 32', (size, expected) => {
    expect(flzCompressLen(Uint8Array.from({ length: size }, (_, at) => at))).toBe(expected);
  });

  // Two literals, a match of all but the last five bytes, and five literals: 3 + match + 6.
  test.each([
    [17, 3],
    [271, 3],
    [272, 3 + 2],
    [277, 3 + 2],
    [278, 3 + 3],
  ])('of %d equal bytes has a match of %d bytes, in pieces of up to 262', (size, match) => {
    expect(flzCompressLen(new Uint8Array(size).fill(7))).toBe(3 + match + 6);
  });

  test.each([
    ['below 8192 is 3 bytes, between literals', 8191, 20 + 96 + 3 + 21],
    ['of 8192 is its literals', 8192, 20 + 96 + 38],
  ])('of 16 bytes at a distance %s', (_, distance, expected) => {
    const repeated = Array.from({ length: 16 }, (_value, at) => 10 + at);
    const tail = Array.from({ length: 20 }, (_value, at) => 40 + at);
    const zeros = Array<number>(distance - repeated.length).fill(0);
    expect(flzCompressLen(Uint8Array.from([1, 2, ...repeated, ...zeros, ...repeated, ...tail]))).toBe(expected);
  });

  test('never exceeds one byte more per 32 literals, and does not depend on earlier calls', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (data) => {
        const length = flzCompressLen(data);
        expect(length).toBeLessThanOrEqual(data.length + Math.ceil(data.length / 32));
        flzCompressLen(CONTRACT_CALL);
        expect(flzCompressLen(data)).toBe(length);
      }),
    );
  });
});

test('the estimated size has a floor of 100 bytes', () => {
  expect(estimatedSizeScaled(UNSIGNED_TRANSFER)).toBe(100_000_000);
  expect(estimatedSizeScaled(CONTRACT_CALL)).toBe(126_387_400);
});

test('the calldata gas is 4 for a zero byte and 16 for another', () => {
  expect(calldataGas(Uint8Array.of(0, 1, 0, 255))).toBe(40);
  expect(calldataGas(Uint8Array.of(0, 0, 0, 255))).toBe(28);
  expect(calldataGas(new Uint8Array(0))).toBe(0);
});
