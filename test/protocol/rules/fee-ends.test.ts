import { describe, expect, test } from 'vitest';
import { FORKS, type ForkName, rulesAt } from '../../../src/protocol/forks/index.ts';
import { CONTRACT_CALL, UNSIGNED_TRANSFER } from '../transactions.ts';

/** Ends of a scalar of 32 bits, and a value that 16 bits do not hold. */
const SCALARS = [0n, 1n, 2n ** 16n, 2n ** 32n - 1n];
const PRICES = [0n, 1n, 10n ** 10n, 2n ** 64n - 1n];
/** Overhead and scalar of the models before ecotone, which L1Block keeps. */
const [OVERHEAD, OLD_SCALAR] = [188n, 684_000n];

/** A transaction with its zero bytes, its other bytes, and its length after FastLZ. */
const TRANSACTIONS = [
  { bytes: UNSIGNED_TRANSFER, zeros: 0n, others: 30n, compressed: 31n },
  { bytes: CONTRACT_CALL, zeros: 180n, others: 167n, compressed: 202n },
];
type Sample = (typeof TRANSACTIONS)[0];

interface L1Block {
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  readonly baseFeeScalar: bigint;
  readonly blobBaseFeeScalar: bigint;
}

/** Words of L1Block as the specification places them. Bits beside the scalars are set. */
function storageOf({ baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }: L1Block) {
  const words: Readonly<Record<number, bigint>> = {
    1: baseFee,
    3: (1n << 128n) | (baseFeeScalar << 96n) | (blobBaseFeeScalar << 64n) | 7n,
    5: OVERHEAD,
    6: OLD_SCALAR,
    7: blobBaseFee,
  };
  return (slot: number) => words[slot] ?? 0n;
}

const calldata = ({ zeros, others }: Sample) => 4n * zeros + 16n * others;
const weighted = (block: L1Block) =>
  16n * block.baseFee * block.baseFeeScalar + block.blobBaseFee * block.blobBaseFeeScalar;

/** L1 fee by the formulas of the specification (L1-Cost fees). */
const old = (signature: bigint) => (sample: Sample, block: L1Block) =>
  ((calldata(sample) + signature + OVERHEAD) * block.baseFee * OLD_SCALAR) / 1_000_000n;
const ecotone = (sample: Sample, block: L1Block) => (calldata(sample) * weighted(block)) / 16_000_000n;
function fjord({ compressed }: Sample, block: L1Block): bigint {
  const estimate = 836_500n * compressed - 42_585_600n;
  return ((estimate < 100_000_000n ? 100_000_000n : estimate) * weighted(block)) / 1_000_000_000_000n;
}

const L1_FEES: { readonly [Name in ForkName]?: (sample: Sample, block: L1Block) => bigint } = {
  bedrock: old(1088n),
  regolith: old(0n),
  canyon: old(0n),
  delta: old(0n),
  ecotone,
  fjord,
  granite: fjord,
  holocene: fjord,
  isthmus: fjord,
  jovian: fjord,
  karst: fjord,
};

const chain = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);
function rulesOf(name: ForkName) {
  return rulesAt(Object.fromEntries(chain.slice(0, chain.indexOf(name) + 1).map((fork) => [fork, 0])), 1);
}

describe('the L1 fee', () => {
  test.each(chain)('at %s equals the specification’s formula when scalars and prices are at their ends', (name) => {
    const model = rulesOf(name).l1Fee;
    const isScaled = chain.indexOf(name) >= chain.indexOf('ecotone');
    for (const baseFee of PRICES)
      for (const blobBaseFee of PRICES)
        for (const baseFeeScalar of SCALARS)
          for (const blobBaseFeeScalar of SCALARS) {
            const block = { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar };
            // Only the block that activates ecotone has none of the three values.
            const isActivation = isScaled && blobBaseFee + baseFeeScalar + blobBaseFeeScalar === 0n;
            const parameters = model.read(storageOf(block))!;
            const formula = isActivation ? old(0n) : L1_FEES[name]!;
            const where = `${name} ${Object.entries(block).join(' ')}`;
            for (const sample of TRANSACTIONS)
              expect(parameters.cost(sample.bytes).fee, where).toBe(formula(sample, block));
            expect('l1BlobBaseFee' in parameters.receiptFields, where).toBe(isScaled && !isActivation);
          }
  });

  test('is free, and states scalars of zero in receipts, when both scalars are zero and blobs have a price', () => {
    const block = { baseFee: 10n ** 10n, blobBaseFee: 1n, baseFeeScalar: 0n, blobBaseFeeScalar: 0n };
    for (const name of ['ecotone', 'fjord', 'jovian'] as const) {
      const parameters = rulesOf(name).l1Fee.read(storageOf(block))!;
      expect(parameters.cost(CONTRACT_CALL).fee).toBe(0n);
      expect(parameters.receiptFields).toEqual({
        l1GasPrice: '0x2540be400',
        l1BlobBaseFee: '0x1',
        l1BaseFeeScalar: '0x0',
        l1BlobBaseFeeScalar: '0x0',
      });
    }
  });

  test.each([
    ['overhead', { 5: 2n ** 256n - 1n, 1: 1n, 6: 1n }, (2n ** 256n - 1n + 480n) / 1_000_000n],
    ['scalar', { 6: 2n ** 256n - 1n, 1: 1n }, (480n * (2n ** 256n - 1n)) / 1_000_000n],
    ['base fee', { 1: 2n ** 256n - 1n, 6: 1n }, (480n * (2n ** 256n - 1n)) / 1_000_000n],
  ])('before ecotone uses the whole word when the %s is at its end', (_, words: Record<number, bigint>, fee) => {
    const parameters = rulesOf('regolith').l1Fee.read((slot) => words[slot] ?? 0n)!;
    expect(parameters.cost(UNSIGNED_TRANSFER).fee).toBe(fee);
  });
});

describe('the scalar of bedrock’s receipts', () => {
  test.each([
    [0n, '0'],
    [1n, '0.000001'],
    [10n, '0.00001'],
    [684_000n, '0.684'],
    [1_000_000n, '1'],
    [1_000_001n, '1.000001'],
    [1_005_000n, '1.005'],
    [10_000_000n, '10'],
    [2n ** 64n, '18446744073709.551616'],
  ])('%d millionths are written as %s', (scalar, text) => {
    const parameters = rulesOf('regolith').l1Fee.read((slot) => (slot === 6 ? scalar : 0n))!;
    expect(parameters.receiptFields).toEqual({ l1GasPrice: '0x0', l1FeeScalar: text });
  });
});

describe('the operator fee', () => {
  const CONSTANTS = [0n, 1n, 2n ** 16n, 2n ** 64n - 1n];
  const GAS = [0n, 1n, 21_000n, 2n ** 64n - 1n];
  const scaled: { readonly [Name in ForkName]?: (gas: bigint, scalar: bigint) => bigint } = {
    isthmus: (gas, scalar) => (gas * scalar) / 1_000_000n,
    jovian: (gas, scalar) => gas * scalar * 100n,
    karst: (gas, scalar) => gas * scalar * 100n,
  };

  test.each(chain)('at %s equals the specification’s formula when scalar and constant are at their ends', (name) => {
    const model = rulesOf(name).operatorFee;
    for (const scalar of SCALARS)
      for (const constant of CONSTANTS) {
        // The bits above hold the DA footprint's scalar.
        const word = (0xffffn << 96n) | (scalar << 64n) | constant;
        const parameters = model.read((slot) => (slot === 8 ? word : 0n));
        const proportional = scaled[name];
        if (proportional === undefined) {
          expect(parameters).toBeNull();
          continue;
        }
        for (const gas of GAS) expect(parameters!.cost(gas)).toBe(proportional(gas, scalar) + constant);
        expect(parameters!.receiptFields).toEqual(
          scalar + constant === 0n
            ? {}
            : {
                operatorFeeScalar: `0x${scalar.toString(16)}`,
                operatorFeeConstant: `0x${constant.toString(16)}`,
              },
        );
      }
  });
});

describe('the DA footprint', () => {
  test.each(chain)('at %s counts whole estimated bytes when the scalar is at its ends', (name) => {
    const rules = rulesOf(name).daFootprint;
    for (const scalar of [0n, 1n, 400n, 2n ** 16n - 1n]) {
      const footprint = rules.read((slot) => (slot === 8 ? (1n << 112n) | (scalar << 96n) | (2n ** 96n - 1n) : 0n));
      if (chain.indexOf(name) < chain.indexOf('jovian')) {
        expect(footprint).toBeNull();
        continue;
      }
      expect(footprint!.footprint(UNSIGNED_TRANSFER)).toBe(100 * Number(scalar));
      expect(footprint!.footprint(CONTRACT_CALL)).toBe(126 * Number(scalar));
      expect(footprint!.receiptFields).toEqual({ daFootprintGasScalar: `0x${scalar.toString(16)}` });
    }
  });
});
