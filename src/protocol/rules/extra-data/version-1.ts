import { concat, toNumber, u64be } from '../../bytes.ts';
import { bytesToHex } from '../../hex.ts';
import type { ExtraDataRules } from '../rules.ts';
import { decodeDenominatorAndElasticity, encodeDenominatorAndElasticity } from './version-0.ts';

const VERSION = 1;
const LENGTH = 17;

/**
 * extraData of jovian: 0x01 ‖ u32 denominator ‖ u32 elasticity ‖ u64 minBaseFee.
 * Counterparts in op-geth: `EncodeJovianExtraData`, `DecodeJovianExtraData`, `ValidateJovianExtraData`.
 */
export const version1ExtraData: ExtraDataRules = {
  length: LENGTH,
  encode: (params, constants) =>
    bytesToHex(concat(encodeDenominatorAndElasticity(VERSION, params, constants), u64be(params.minBaseFee))),
  decode(extraData) {
    const { params, bytes } = decodeDenominatorAndElasticity(extraData, VERSION, LENGTH);
    return { ...params, minBaseFee: toNumber(bytes.subarray(9)) };
  },
};
