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
