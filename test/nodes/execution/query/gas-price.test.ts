import { describe, expect, it } from 'vitest';
import {
  blobFees,
  blobShare,
  ratio,
  rewardsOf,
  suggestedTip,
} from '../../../../src/nodes/execution/query/gas-price.ts';
import { DEPOSIT_TYPE } from '../../../../src/protocol/codec/deposit.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { rulesAt } from '../../../../src/protocol/forks/index.ts';
import { blockOf, hashOf, PARIS_HEADER, receiptOf } from '../views/sample-block.ts';

const BASE_FEE = PARIS_HEADER.baseFeePerGas;

/** Returns a block of receipts, each with a tip and an amount of gas. A tip of undefined is a deposit. */
function blockWith(tips: readonly (readonly [bigint | undefined, bigint])[], gasLimit = 1000n) {
  const receipts = tips.map(([tip, gasUsed]) =>
    receiptOf({
      type: tip === undefined ? DEPOSIT_TYPE : 2,
      effectiveGasPrice: tip === undefined ? 0n : BASE_FEE + tip,
      gasUsed,
    }),
  );
  return blockOf([], receipts, {
    header: { ...PARIS_HEADER, gasUsed: tips.reduce((sum, [, gas]) => sum + gas, 0n), gasLimit },
  });
}

describe('the suggested tip', () => {
  const MIN = 1_000_000n;
  const tipAfter = (block: ReturnType<typeof blockWith>) =>
    suggestedTip({ head: block, knownBlock: (hash) => (hash === block.hash ? block : blockWith([])) });

  it.each<[string, readonly (readonly [bigint | undefined, bigint])[], bigint]>([
    ['the least after a block without transactions', [], MIN],
    ['the least after a block that its largest transaction fits twice', [[9n * MIN, 500n]], MIN],
    ['a tenth above the tip of a full block', [[9n * MIN, 501n]], (99n * MIN) / 10n],
    ['the least after a full block of low tips', [[8n, 501n]], MIN],
    [
      'a tenth above the tip in the middle',
      [
        [9n, 300n],
        [MIN * 4n, 300n],
        [MIN * 7n, 300n],
      ],
      (44n * MIN) / 10n,
    ],
    [
      'a tenth above the upper of two tips in the middle',
      [
        [MIN * 2n, 450n],
        [MIN * 4n, 450n],
      ],
      (44n * MIN) / 10n,
    ],
    [
      'the least after a full block of deposits',
      [
        [undefined, 450n],
        [undefined, 450n],
        [MIN * 4n, 1n],
      ],
      MIN,
    ],
  ])('is %s', (_, tips, expected) => {
    expect(tipAfter(blockWith(tips))).toBe(expected);
  });
});

describe('the rewards of a fee history', () => {
  // Ascending by tip: 0 (a deposit) up to gas 100, 1 up to 300, 2 up to 600, 5 up to 1000.
  const block = blockWith([
    [5n, 400n],
    [1n, 200n],
    [undefined, 100n],
    [2n, 300n],
  ]);

  it.each([
    [
      [0, 10],
      [0n, 0n],
    ],
    [
      [11, 30],
      [1n, 1n],
    ],
    [
      [30.05, 31, 60],
      [1n, 2n, 2n],
    ],
    [
      [61, 100],
      [5n, 5n],
    ],
    [[], []],
  ])('are at the percentiles %j of the gas of a block the tips %s', (percentiles, expected) => {
    expect(rewardsOf(block, percentiles)).toEqual(expected);
  });

  it('are zero without transactions, and the highest tip where receipts hold less gas than the header', () => {
    expect(rewardsOf(blockWith([]), [0, 50])).toEqual([0n, 0n]);
    const short = blockOf([], [receiptOf({ gasUsed: 1n, effectiveGasPrice: BASE_FEE + 3n })], {
      header: { ...PARIS_HEADER, gasUsed: 100n },
    });
    expect(rewardsOf(short, [100])).toEqual([3n]);
  });
});

describe('the blob fees of a header', () => {
  const rollup = { rulesAt: () => rulesAt({ regolith: 0, canyon: 0, delta: 0, ecotone: 0 }, 1n) };
  const plain = { rulesAt: () => ethereumRulesAt({ shanghai: 0, cancun: 0 }, 1n) };
  const blobs = { withdrawalsRoot: hashOf(1), parentBeaconBlockRoot: hashOf(2) };
  const GAS = 131_072n;

  it('are unknown before cancun, and the least on a rollup', () => {
    expect(blobFees(plain, PARIS_HEADER)).toBeNull();
    const header = { ...PARIS_HEADER, ...blobs, blobGasUsed: 9n * GAS, excessBlobGas: 100n * GAS };
    expect(blobFees(rollup, header)).toEqual({ current: 1n, next: 1n });
    expect(blobShare(rollup, header)).toBe(0);
  });

  it('are those of EIP-4844 on plain Ethereum, for the block and for its child', () => {
    // At 80 blobs of excess: 1 × e^(80 × 131072 ÷ 3338477) = 23.1. Six blobs, three above the target, make it 83.
    // There it is 26.02.
    const header = { ...PARIS_HEADER, ...blobs, blobGasUsed: 6n * GAS, excessBlobGas: 80n * GAS };
    expect(blobFees(plain, header)).toEqual({ current: 23n, next: 26n });
    expect([blobShare(plain, header), blobShare(plain, { ...header, blobGasUsed: 3n * GAS })]).toEqual([1, 0.5]);
    expect(blobShare(plain, PARIS_HEADER)).toBe(0);
  });

  it('have a share of the limit as a JSON number', () => {
    expect(ratio(1n, 4n)).toBe(0.25);
  });
});
