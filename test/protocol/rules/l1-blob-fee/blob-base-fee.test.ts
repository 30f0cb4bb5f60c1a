import { expect, test } from 'vitest';
import {
  blobBaseFee,
  CANCUN_UPDATE_FRACTION,
  PRAGUE_UPDATE_FRACTION,
} from '../../../../src/protocol/rules/l1-blob-fee/blob-base-fee.ts';

const MAX_UINT256 = 2n ** 256n - 1n;

test.each([
  [0n, 1n],
  [2_314_057n, 1n],
  [2_314_058n, 2n],
  [10n * 1024n * 1024n, 23n],
])('an excess of %i costs %i wei per blob gas in cancun', (excess, fee) => {
  expect(blobBaseFee(excess, CANCUN_UPDATE_FRACTION)).toBe(fee);
});

test('a block without excess blob gas has the minimum fee', () => {
  expect(blobBaseFee(undefined, CANCUN_UPDATE_FRACTION)).toBe(1n);
});

test.each([CANCUN_UPDATE_FRACTION, PRAGUE_UPDATE_FRACTION])(
  'the blob base fee stays within 256 bits for any excess of 64 bits (fraction %i)',
  (fraction) => {
    let last = 0n;
    for (let excess = 0n; last < MAX_UINT256; excess += fraction) {
      const fee = blobBaseFee(excess, fraction);
      expect(fee).toBeGreaterThan(last);
      last = fee;
    }
    expect(last).toBe(MAX_UINT256);
    expect(blobBaseFee(2n ** 64n - 1n, fraction)).toBe(MAX_UINT256);
  },
);

test.each([1n, 20n, 100n, 160n, 177n])('the fee of an excess of %i fractions is e to that power', (power) => {
  for (const fraction of [CANCUN_UPDATE_FRACTION, PRAGUE_UPDATE_FRACTION]) {
    const fee = blobBaseFee(power * fraction, fraction);
    // The fee is rounded down to whole wei.
    const exact = Math.exp(Number(power));
    expect(Math.abs(Number(fee) - exact)).toBeLessThan(Math.max(1, exact * 1e-9));
  }
});
