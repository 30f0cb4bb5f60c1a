import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bedrock } from '../../../src/protocol/forks/bedrock.ts';
import { canyon } from '../../../src/protocol/forks/canyon.ts';
import { chainConstantsBaseFee } from '../../../src/protocol/rules/base-fee/chain-constants.ts';
import { minimumBaseFee } from '../../../src/protocol/rules/base-fee/minimum.ts';
import { parentParamsBaseFee } from '../../../src/protocol/rules/base-fee/parent-params.ts';
import { noExtraData } from '../../../src/protocol/rules/extra-data/none.ts';
import { version0ExtraData } from '../../../src/protocol/rules/extra-data/version-0.ts';
import { version1ExtraData } from '../../../src/protocol/rules/extra-data/version-1.ts';

const constants = canyon.rules.eip1559.constants(undefined);
const parent = {
  gasLimit: 30_000_000n,
  gasUsed: 5_000_000n,
  blobGasUsed: 0n,
  baseFeePerGas: 1_000_000_000n,
  extraData: '0x' as const,
};
const params = { denominator: 8, elasticity: 2, minBaseFee: 0 };

describe('base fee of the child', () => {
  test.each([
    ['at the target', 5_000_000n, 1_000_000_000n],
    ['above it', 10_000_000n, 1_004_000_000n],
    ['below it', 0n, 996_000_000n],
  ])('follows the constants, parent %s', (_, gasUsed, expected) => {
    expect(chainConstantsBaseFee.next({ ...parent, gasUsed }, constants)).toBe(expected);
  });

  test('changes faster with the first denominator', () => {
    expect(
      chainConstantsBaseFee.next({ ...parent, gasUsed: 10_000_000n }, bedrock.rules.eip1559.constants(undefined)),
    ).toBe(1_020_000_000n);
  });

  test('rises by at least one wei and stays at zero or above', () => {
    expect(chainConstantsBaseFee.next({ ...parent, gasUsed: 5_000_001n, baseFeePerGas: 7n }, constants)).toBe(8n);
    expect(chainConstantsBaseFee.next({ ...parent, gasUsed: 0n, baseFeePerGas: 0n }, constants)).toBe(0n);
  });

  test.each([
    // (fee × |used − target|) / target / denominator, each division rounded down: target 5,000,000, denominator 250.
    ['a fifth below the target', 4_000_000n, 999_200_000n],
    ['one gas below the target', 4_999_999n, 1_000_000_000n],
    ['one gas above the target', 5_000_001n, 1_000_000_001n],
  ])('moves in proportion to the distance: %s', (_, gasUsed, expected) => {
    expect(chainConstantsBaseFee.next({ ...parent, gasUsed }, constants)).toBe(expected);
  });

  test.each([0n, 1n, 5n])('stays when the target is zero, as with a gas limit of %d', (gasLimit) => {
    expect(chainConstantsBaseFee.next({ ...parent, gasLimit, gasUsed: 0n }, constants)).toBe(1_000_000_000n);
    expect(chainConstantsBaseFee.next({ ...parent, gasLimit, gasUsed: 5n }, constants)).toBe(1_000_000_000n);
  });

  test('holocene reads the parameters from the parent', () => {
    const extraData = version0ExtraData.encode(params, constants);
    expect(parentParamsBaseFee.next({ ...parent, gasUsed: 30_000_000n, extraData }, constants)).toBe(1_125_000_000n);
  });

  test('counts the DA footprint and keeps the minimum from jovian on', () => {
    const busy = {
      ...parent,
      gasUsed: 0n,
      blobGasUsed: 30_000_000n,
      extraData: version1ExtraData.encode(params, constants),
    };
    expect(minimumBaseFee.next(busy, constants)).toBe(1_125_000_000n);
    const floor = version1ExtraData.encode({ ...params, minBaseFee: 2_000_000_000 }, constants);
    expect(minimumBaseFee.next({ ...busy, extraData: floor }, constants)).toBe(2_000_000_000n);
  });
});

describe('base fee from jovian on', () => {
  test.each([
    ['one wei below the fee', 995_999_999, 996_000_000n],
    ['the fee', 996_000_000, 996_000_000n],
    ['one wei above the fee', 996_000_001, 996_000_001n],
  ])('is at least the minimum of the parent: %s', (_, minBaseFee, expected) => {
    const extraData = version1ExtraData.encode({ ...params, denominator: 250, elasticity: 6, minBaseFee }, constants);
    expect(minimumBaseFee.next({ ...parent, gasUsed: 0n, extraData }, constants)).toBe(expected);
  });

  test('never falls below the minimum of the parent, whatever the parent', () => {
    const whole = (max: number) => fc.integer({ min: 0, max });
    const fields = fc.record({ fee: whole(1e12), used: whole(3e7), footprint: whole(3e7), minBaseFee: whole(1e12) });
    fc.assert(
      fc.property(fields, ({ fee, used, footprint, minBaseFee }) => {
        const extraData = version1ExtraData.encode({ ...params, minBaseFee }, constants);
        const block = { ...parent, baseFeePerGas: BigInt(fee), gasUsed: BigInt(used), blobGasUsed: BigInt(footprint) };
        const next = minimumBaseFee.next({ ...block, extraData }, constants);
        const free = version1ExtraData.encode(params, constants);
        const without = minimumBaseFee.next({ ...block, extraData: free }, constants);
        expect(next).toBe(without < BigInt(minBaseFee) ? BigInt(minBaseFee) : without);
      }),
    );
  });
});

describe('extraData', () => {
  test('encodes version, denominator, elasticity and minimum', () => {
    expect(version0ExtraData.encode({ denominator: 1, elasticity: 2, minBaseFee: 3 }, constants)).toBe(
      '0x000000000100000002',
    );
    expect(version1ExtraData.encode({ denominator: 1, elasticity: 2, minBaseFee: 3 }, constants)).toBe(
      '0x0100000001000000020000000000000003',
    );
    expect(noExtraData.encode(params, constants)).toBe('0x');
  });

  test('has the constants for zero parameters', () => {
    const encoded = version1ExtraData.encode({ denominator: 0, elasticity: 0, minBaseFee: 5 }, constants);
    expect(version1ExtraData.decode(encoded)).toEqual({ denominator: 250, elasticity: 6, minBaseFee: 5 });
  });

  test.each([
    ['another length', version0ExtraData, '0x00'],
    ['the next version', version0ExtraData, '0x010000000100000002'],
    ['a zero denominator', version0ExtraData, '0x000000000000000002'],
    ['the version before', version1ExtraData, '0x0000000001000000020000000000000003'],
    ['any bytes before holocene', noExtraData, '0x00'],
  ] as const)('is invalid with %s', (_, rules, extraData) => {
    expect(() => rules.decode(extraData)).toThrow(expect.objectContaining({ code: 'extra-data-invalid' }));
  });
});
