import { describe, expect, test } from 'vitest';
import { jovianDaFootprint } from '../../../src/protocol/parts/da-footprint/compressed-size.ts';
import { fjordL1Fee } from '../../../src/protocol/parts/l1-fee/compressed-size.ts';
import { bedrockL1Fee, regolithL1Fee } from '../../../src/protocol/parts/l1-fee/overhead-scalar.ts';
import { ecotoneL1Fee } from '../../../src/protocol/parts/l1-fee/two-scalars.ts';
import { noOperatorFee } from '../../../src/protocol/parts/operator-fee/none.ts';
import { isthmusOperatorFee } from '../../../src/protocol/parts/operator-fee/per-million.ts';
import { jovianOperatorFee } from '../../../src/protocol/parts/operator-fee/times-hundred.ts';
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
    ['bedrock', bedrockL1Fee, 11_326_000_000_000n, 1618n],
    ['regolith', regolithL1Fee, 3_710_000_000_000n, 530n],
    ['ecotone', ecotoneL1Fee, 960_900n, 480n],
    ['fjord', fjordL1Fee, 3_203_000n, 1600n],
  ])('%s', (_, model, fee, gasUsed) => {
    expect(model.read(storage)!.cost(UNSIGNED_TRANSFER)).toEqual({ fee, gasUsed });
  });

  test.each([
    ['ecotone', ecotoneL1Fee],
    ['fjord', fjordL1Fee],
  ])('%s falls back to overhead and scalar while L1Block holds no scalars', (_, model) => {
    expect(model.read(storageBeforeUpgrade)!.cost(UNSIGNED_TRANSFER).fee).toBe(3_710_000_000_000n);
  });

  test('a compressible call pays by its compressed size', () => {
    const thousands = (slot: number) => (slot === 3 ? (1000n << 96n) | (1000n << 64n) : 1000n);
    expect(fjordL1Fee.read(thousands)!.cost(CONTRACT_CALL).fee).toBe(2148n);
  });

  test('receipts spell the parameters', () => {
    const scalar = (slot: number) => (slot === 6 ? 684_000n : storage(slot));
    expect(regolithL1Fee.read(scalar)!.receiptFields).toEqual({ l1GasPrice: '0x3b9aca00', l1FeeScalar: '0.684' });
    expect(bedrockL1Fee.read(storage)!.receiptFields).toEqual({ l1GasPrice: '0x3b9aca00', l1FeeScalar: '7' });
    expect(ecotoneL1Fee.read(storage)!.receiptFields).toEqual({
      l1GasPrice: '0x3b9aca00',
      l1BlobBaseFee: '0x989680',
      l1BaseFeeScalar: '0x2',
      l1BlobBaseFeeScalar: '0x3',
    });
  });
});

describe('operator fee', () => {
  test('isthmus divides by a million, jovian multiplies by a hundred', () => {
    expect(isthmusOperatorFee.read(storage)?.cost(2_000_000n)).toBe(3_009n);
    expect(jovianOperatorFee.read(storage)?.cost(2_000_000n)).toBe(300_000_000_009n);
    expect(noOperatorFee.read(storage)).toBeNull();
  });

  test('receipts spell it only where it is not zero', () => {
    expect(isthmusOperatorFee.read(storage)?.receiptFields).toEqual({
      operatorFeeScalar: '0x5dc',
      operatorFeeConstant: '0x9',
    });
    expect(isthmusOperatorFee.read(() => 0n)?.receiptFields).toEqual({});
  });
});

test('DA footprint counts whole estimated bytes', () => {
  const rules = jovianDaFootprint.read(storage);
  expect(rules?.footprint(UNSIGNED_TRANSFER)).toBe(40_000);
  expect(rules?.footprint(CONTRACT_CALL)).toBe(50_400);
  expect(rules?.receiptFields).toEqual({ daFootprintGasScalar: '0x190' });
});
