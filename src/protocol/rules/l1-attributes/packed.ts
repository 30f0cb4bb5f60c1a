import { concat, toBigInt, toNumber, u16be, u32be, u64be, u256be } from '../../bytes.ts';
import { bytesToHex, hexToSized } from '../../hex.ts';
import type { Hex } from '../../types.ts';
import type { L1AttributesCodec, L1BlockInfo } from '../rules.ts';
import { type L1AttributesReader, l1AttributesReader, NO_L1_BLOCK_INFO } from './reader.ts';

/** One group of fields of a packed version, appended to those of the version before it. */
interface PackedFields {
  readonly length: number;
  encode(info: L1BlockInfo): Uint8Array;
  decode(read: L1AttributesReader): Partial<L1BlockInfo>;
}

/** Makes a version with its own function selector and packed arguments, an ordinary deposit of 1,000,000 gas. */
function packed(selector: Hex, groups: readonly PackedFields[]): L1AttributesCodec {
  const length = groups.reduce((sum, group) => sum + group.length, 4);
  return {
    selector,
    gas: 1_000_000,
    isSystemTransaction: false,
    encode: (info) => concat(hexToSized(selector, 4), ...groups.map((group) => group.encode(info))),
    decode(calldata) {
      const read = l1AttributesReader(calldata, selector, length);
      const fields: Partial<L1BlockInfo>[] = groups.map((group) => group.decode(read));
      return Object.assign({ ...NO_L1_BLOCK_INFO }, ...fields);
    },
  };
}

/**
 * Fields of ecotone:
 * baseFeeScalar u32 ‖ blobBaseFeeScalar u32 ‖ sequenceNumber u64 ‖ timestamp u64 ‖ number u64 ‖ basefee ‖ blobBaseFee
 * ‖ hash ‖ batcherHash
 */
const feeScalarFields: PackedFields = {
  length: 160,
  encode: (info) =>
    concat(
      u32be(info.baseFeeScalar),
      u32be(info.blobBaseFeeScalar),
      u64be(info.sequenceNumber),
      u64be(info.timestamp),
      u64be(info.number),
      u256be(info.baseFee),
      u256be(info.blobBaseFee),
      hexToSized(info.hash, 32),
      new Uint8Array(12),
      hexToSized(info.batcherAddr, 20),
    ),
  decode: (read) => ({
    baseFeeScalar: toNumber(read.take(4)),
    blobBaseFeeScalar: toNumber(read.take(4)),
    sequenceNumber: toNumber(read.take(8)),
    timestamp: toNumber(read.take(8)),
    number: toNumber(read.take(8)),
    baseFee: toBigInt(read.take(32)),
    blobBaseFee: toBigInt(read.take(32)),
    hash: bytesToHex(read.take(32)),
    batcherAddr: read.address(),
  }),
};

/** operatorFeeScalar u32 ‖ operatorFeeConstant u64 */
const operatorFeeFields: PackedFields = {
  length: 12,
  encode: (info) => concat(u32be(info.operatorFeeScalar), u64be(info.operatorFeeConstant)),
  decode: (read) => ({ operatorFeeScalar: toNumber(read.take(4)), operatorFeeConstant: toBigInt(read.take(8)) }),
};

/** daFootprintGasScalar u16 */
const daFootprintFields: PackedFields = {
  length: 2,
  encode: (info) => u16be(info.daFootprintGasScalar),
  decode: (read) => ({ daFootprintGasScalar: toNumber(read.take(2)) }),
};

/** setL1BlockValuesEcotone(), 164 bytes (op-node: `marshalBinaryEcotone`, kona: `L1BlockInfoEcotone`). */
export const packedL1Attributes = packed('0x440a5e20', [feeScalarFields]);

/** setL1BlockValuesIsthmus(), 176 bytes (op-node: `marshalBinaryIsthmus`, kona: `L1BlockInfoIsthmus`). */
export const packedL1AttributesWithOperatorFee = packed('0x098999be', [feeScalarFields, operatorFeeFields]);

/** setL1BlockValuesJovian(), 178 bytes (op-node: `marshalBinaryJovian`, kona: `L1BlockInfoJovian`). */
export const packedL1AttributesWithDaFootprint = packed('0x3db6be2b', [
  feeScalarFields,
  operatorFeeFields,
  daFootprintFields,
]);
