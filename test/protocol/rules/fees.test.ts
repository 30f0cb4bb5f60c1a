import { describe, expect, test } from 'vitest';
import { compressedSizeDaFootprint } from '../../../src/protocol/rules/da-footprint/da-footprint.ts';
import { compressedSizeL1Fee } from '../../../src/protocol/rules/l1-fee/compressed-size.ts';
import {
  overheadScalarL1Fee,
  overheadScalarSignatureL1Fee,
} from '../../../src/protocol/rules/l1-fee/overhead-scalar.ts';
import { twoScalarsL1Fee } from '../../../src/protocol/rules/l1-fee/two-scalars.ts';
import {
  noOperatorFee,
  perMillionOperatorFee,
  timesHundredOperatorFee,
} from '../../../src/protocol/rules/operator-fee/operator-fee.ts';
import { CONTRACT_CALL, UNSIGNED_TRANSFER } from '../transactions.ts';

const words: Readonly<Record<number, bigint>> = {
  1: 1_000_000_000n,
  3: (2n << 96n) | (3n << 64n) | 77n,
  5: 50n,
  6: 7_000_000n,
  7: 10_000_000n,
  8: (400n << 96n) | (1_500n << 64n) | 9n,
};
const storage = (slot: number) => words[slot] ?? 0n;
const storageBeforeUpgrade = (slot: number) => (slot === 3 ? 77n : slot === 7 ? 0n : storage(slot));

describe('L1 data fee of a bare transfer', () => {
  test.each([
    ['bedrock', overheadScalarSignatureL1Fee, 11_326_000_000_000n, 1618n],
    ['regolith', overheadScalarL1Fee, 3_710_000_000_000n, 530n],
    ['ecotone', twoScalarsL1Fee, 960_900n, 480n],
    ['fjord', compressedSizeL1Fee, 3_203_000n, 1600n],
  ])('%s', (_, model, fee, gasUsed) => {
    expect(model.read(storage)!.cost(UNSIGNED_TRANSFER)).toEqual({ fee, gasUsed });
  });

  test.each([
    ['ecotone', twoScalarsL1Fee],
    ['fjord', compressedSizeL1Fee],
  ])('%s falls back to overhead and scalar while L1Block holds no scalars', (_, model) => {
    expect(model.read(storageBeforeUpgrade)!.cost(UNSIGNED_TRANSFER).fee).toBe(3_710_000_000_000n);
  });

  test('depends on the compressed size of the calldata from fjord on', () => {
    const thousands = (slot: number) => (slot === 3 ? (1000n << 96n) | (1000n << 64n) : 1000n);
    // 126.3874 bytes: the gas counts parts of a byte.
    expect(compressedSizeL1Fee.read(thousands)!.cost(CONTRACT_CALL)).toEqual({ fee: 2148n, gasUsed: 2022n });
  });

  test('has its parameters in receipts', () => {
    const scalar = (slot: number) => (slot === 6 ? 684_000n : storage(slot));
    expect(overheadScalarL1Fee.read(scalar)!.receiptFields).toEqual({ l1GasPrice: '0x3b9aca00', l1FeeScalar: '0.684' });
    expect(overheadScalarSignatureL1Fee.read(storage)!.receiptFields).toEqual({
      l1GasPrice: '0x3b9aca00',
      l1FeeScalar: '7',
    });
    expect(twoScalarsL1Fee.read(storage)!.receiptFields).toEqual({
      l1GasPrice: '0x3b9aca00',
      l1BlobBaseFee: '0x989680',
      l1BaseFeeScalar: '0x2',
      l1BlobBaseFeeScalar: '0x3',
    });
  });
});

describe('operator fee', () => {
  test('is divided by a million in isthmus, multiplied by a hundred in jovian', () => {
    expect(perMillionOperatorFee.read(storage)?.cost(2_000_000n)).toBe(3_009n);
    expect(timesHundredOperatorFee.read(storage)?.cost(2_000_000n)).toBe(300_000_000_009n);
    expect(noOperatorFee.read(storage)).toBeNull();
  });

  test('is in receipts only when it is not zero', () => {
    expect(perMillionOperatorFee.read(storage)?.receiptFields).toEqual({
      operatorFeeScalar: '0x5dc',
      operatorFeeConstant: '0x9',
    });
    expect(perMillionOperatorFee.read(() => 0n)?.receiptFields).toEqual({});
  });
});

test('the DA footprint counts whole estimated bytes', () => {
  const rules = compressedSizeDaFootprint.read(storage);
  expect(rules?.footprint(UNSIGNED_TRANSFER)).toBe(40_000);
  expect(rules?.footprint(CONTRACT_CALL)).toBe(50_400);
  expect(rules?.receiptFields).toEqual({ daFootprintGasScalar: '0x190' });
});
