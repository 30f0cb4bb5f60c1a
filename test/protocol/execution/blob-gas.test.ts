import { describe, expect, test } from 'vitest';
import { blobGasOf, GAS_PER_BLOB, nextExcessBlobGas } from '../../../src/protocol/execution/blob-gas.ts';

const BLOB = 131_072n;
const cancun = {
  target: 3,
  max: 6,
  updateFraction: 3_338_477n,
  maxPerTransaction: 6,
  reservePrice: false,
  cellProofs: false,
};
const osaka = {
  target: 6,
  max: 9,
  updateFraction: 5_007_716n,
  maxPerTransaction: 6,
  reservePrice: true,
  cellProofs: true,
};

test('a blob has 2^17 gas, and a transaction without blobs none', () => {
  expect(GAS_PER_BLOB).toBe(BLOB);
  expect([0, 1, 6].map((count) => blobGasOf({ blobVersionedHashes: Array(count).fill('0x01') }))).toEqual([
    0n,
    BLOB,
    6n * BLOB,
  ]);
  expect(blobGasOf({})).toBe(0n);
});

describe('the excess blob gas of a child', () => {
  // EIP-4844: max(0, excess + used − target).
  test.each([
    [0n, 0n, 0n],
    [0n, 3n, 0n],
    [0n, 4n, 1n],
    [0n, 6n, 3n],
    [2n, 0n, 0n],
    [3n, 0n, 0n],
    [4n, 0n, 1n],
    [10n, 1n, 8n],
  ])('of a parent with an excess of %d blobs and %d used is %d blobs', (excess, used, next) => {
    const parent = { excessBlobGas: excess * BLOB, blobGasUsed: used * BLOB, baseFeePerGas: 10n ** 18n };
    expect(nextExcessBlobGas(parent, cancun)).toBe(next * BLOB);
  });

  test('is exact below and above the target', () => {
    const next = (excessBlobGas: bigint) =>
      nextExcessBlobGas({ excessBlobGas, blobGasUsed: 0n, baseFeePerGas: 1n }, cancun);
    expect([next(3n * BLOB - 1n), next(3n * BLOB), next(3n * BLOB + 1n)]).toEqual([0n, 0n, 1n]);
  });

  test('of a parent before blobs is zero', () => {
    expect(nextExcessBlobGas({ baseFeePerGas: 1n }, cancun)).toBe(0n);
    expect(nextExcessBlobGas({ excessBlobGas: undefined, blobGasUsed: undefined, baseFeePerGas: 1n }, osaka)).toBe(0n);
  });

  // EIP-7918: where 8192 × base fee exceeds the price of a blob, excess + used × (max − target) / max. At a blob base
  // fee of 1 wei, a blob costs 131,072 wei: 16 wei of base fee are not more, 17 are.
  test.each([
    [16n, 6n, 3n, 3n * BLOB],
    [17n, 6n, 3n, (6n + 1n) * BLOB],
    [17n, 6n, 0n, 6n * BLOB],
    [17n, 5n, 0n, 0n],
    [17n, 0n, 9n, 3n * BLOB],
    [17n, 0n, 6n, 2n * BLOB],
    [17n, 0n, 7n, (7n * BLOB * 3n) / 9n],
    // An excess of 27 blobs makes the blob base fee 2 wei.
    [32n, 27n, 6n, 27n * BLOB],
    [33n, 27n, 6n, 29n * BLOB],
  ])('in osaka, at a base fee of %d wei, %d blobs of excess and %d used: %d gas', (baseFee, excess, used, next) => {
    const parent = { excessBlobGas: excess * BLOB, blobGasUsed: used * BLOB, baseFeePerGas: baseFee };
    expect(nextExcessBlobGas(parent, osaka)).toBe(next);
  });

  test('has no reserve price before osaka', () => {
    const parent = { excessBlobGas: 6n * BLOB, blobGasUsed: 3n * BLOB, baseFeePerGas: 17n };
    expect(nextExcessBlobGas(parent, { ...osaka, reservePrice: false, cellProofs: false })).toBe(3n * BLOB);
  });
});
