import { describe, expect, test } from 'vitest';
import { keccak256Text } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { abiL1Attributes, abiSystemL1Attributes } from '../../../../src/protocol/rules/l1-attributes/abi.ts';
import { decodeL1Attributes } from '../../../../src/protocol/rules/l1-attributes/index.ts';
import {
  packedL1Attributes,
  packedL1AttributesWithDaFootprint,
  packedL1AttributesWithOperatorFee,
} from '../../../../src/protocol/rules/l1-attributes/packed.ts';
import { NO_L1_BLOCK_INFO } from '../../../../src/protocol/rules/l1-attributes/reader.ts';

const BATCHER = '6887246668a3b87f54deb3b94ba47a6f63f32985';
const PACKED = [
  '00000558000c5fc5000000000000000500000000661c277300000000012bec20',
  '000000000000000000000000000000000000000000000000000000026e9f1099',
  '0000000000000000000000000000000000000000000000000000000000000001',
  '1c4c84c50740386c7dc081efddd644405f04cde73e30a2e381737acce9f5add3',
  `000000000000000000000000${BATCHER}`,
].join('');
const ecotone = {
  ...NO_L1_BLOCK_INFO,
  number: 19_655_712,
  timestamp: 1_713_121_139,
  baseFee: 10_445_852_825n,
  hash: '0x1c4c84c50740386c7dc081efddd644405f04cde73e30a2e381737acce9f5add3',
  sequenceNumber: 5,
  batcherAddr: `0x${BATCHER}`,
  blobBaseFee: 1n,
  blobBaseFeeScalar: 810_949,
  baseFeeScalar: 1368,
} as const;
const isthmus = { ...ecotone, operatorFeeScalar: 0xabcd, operatorFeeConstant: 0xdcban };
const jovian = { ...isthmus, daFootprintGasScalar: 400 };
const bedrock = {
  ...NO_L1_BLOCK_INFO,
  number: 18_334_955,
  timestamp: 1_697_121_143,
  baseFee: 10_419_034_451n,
  hash: '0x392012032675be9f94aae5ab442de73c5f4fb1bf30fa7dd0d2442239899a40fc',
  sequenceNumber: 4,
  batcherAddr: `0x${BATCHER}`,
  l1FeeOverhead: `0x${'0'.repeat(62)}bc`,
  l1FeeScalar: `0x${'0'.repeat(59)}a6fe0`,
} as const;
const BEDROCK = [
  '000000000000000000000000000000000000000000000000000000000117c4eb',
  '0000000000000000000000000000000000000000000000000000000065280377',
  '000000000000000000000000000000000000000000000000000000026d05d953',
  '392012032675be9f94aae5ab442de73c5f4fb1bf30fa7dd0d2442239899a40fc',
  '0000000000000000000000000000000000000000000000000000000000000004',
  `000000000000000000000000${BATCHER}`,
  '00000000000000000000000000000000000000000000000000000000000000bc',
  '00000000000000000000000000000000000000000000000000000000000a6fe0',
].join('');

const versions = [
  ['bedrock', abiSystemL1Attributes, bedrock, `0x015d8eb9${BEDROCK}`],
  ['ecotone', packedL1Attributes, ecotone, `0x440a5e20${PACKED}`],
  ['isthmus', packedL1AttributesWithOperatorFee, isthmus, `0x098999be${PACKED}0000abcd000000000000dcba`],
  ['jovian', packedL1AttributesWithDaFootprint, jovian, `0x3db6be2b${PACKED}0000abcd000000000000dcba0190`],
] as const;

describe('L1 attributes', () => {
  test.each(versions)('round trip as calldata of %s', (_, codec, info, calldata) => {
    expect(bytesToHex(codec.encode(info))).toBe(calldata);
    expect(codec.decode(hexToBytes(calldata))).toEqual(info);
    expect(decodeL1Attributes(hexToBytes(calldata))).toEqual(info);
  });

  test.each([
    ['setL1BlockValues(uint64,uint64,uint256,bytes32,uint64,bytes32,uint256,uint256)', abiSystemL1Attributes],
    ['setL1BlockValuesEcotone()', packedL1Attributes],
    ['setL1BlockValuesIsthmus()', packedL1AttributesWithOperatorFee],
    ['setL1BlockValuesJovian()', packedL1AttributesWithDaFootprint],
  ])('have the selector of %s', (signature, codec) => {
    expect(bytesToHex(keccak256Text(signature).subarray(0, 4))).toBe(codec.selector);
  });

  test.each(versions)('%s calldata is refused by the codecs of the other versions', (name, _, __, calldata) => {
    for (const [other, codec] of versions)
      if (other !== name) expect(() => codec.decode(hexToBytes(calldata))).toThrow('L1 attributes must have');
  });

  test.each(versions)('%s calldata with the selector of another version is refused', (_, codec, __, calldata) => {
    const other = hexToBytes(`0x3db6be2c${calldata.slice(10)}`);
    const error = { code: 'l1-attributes-malformed', handling: 'drop', data: { length: other.length } };
    expect(() => codec.decode(other)).toThrow(expect.objectContaining(error));
    expect(() => decodeL1Attributes(other)).toThrow(expect.objectContaining(error));
  });

  test('fields that a version lacks are zero', () => {
    const zeros = { number: 0, timestamp: 0, baseFee: 0n, sequenceNumber: 0, blobBaseFee: 0n, baseFeeScalar: 0 };
    expect(NO_L1_BLOCK_INFO).toEqual({
      ...zeros,
      blobBaseFeeScalar: 0,
      operatorFeeScalar: 0,
      operatorFeeConstant: 0n,
      daFootprintGasScalar: 0,
      hash: `0x${'0'.repeat(64)}`,
      l1FeeOverhead: `0x${'0'.repeat(64)}`,
      l1FeeScalar: `0x${'0'.repeat(64)}`,
      batcherAddr: `0x${'0'.repeat(40)}`,
    });
  });

  test.each([
    ['bedrock', abiSystemL1Attributes, true, 150_000_000],
    ['regolith', abiL1Attributes, false, 1_000_000],
    ['ecotone', packedL1Attributes, false, 1_000_000],
    ['isthmus', packedL1AttributesWithOperatorFee, false, 1_000_000],
    ['jovian', packedL1AttributesWithDaFootprint, false, 1_000_000],
  ] as const)('of %s are a deposit with its gas, a system transaction only in bedrock', (_, codec, isSystem, gas) => {
    expect([codec.isSystemTransaction, codec.gas]).toEqual([isSystem, gas]);
  });

  test.each([
    ['an unknown selector', '0x12345678'],
    ['another length', `0x440a5e20${PACKED}00`],
    ['an address with more than 20 bytes', `0x440a5e20${PACKED.replace(`000000${BATCHER}`, `000001${BATCHER}`)}`],
  ])('rejects %s', (_, calldata) => {
    expect(() => decodeL1Attributes(hexToBytes(calldata))).toThrow(
      expect.objectContaining({ code: 'l1-attributes-malformed' }),
    );
  });
});
