import { concat, toNumber, u32be } from '../../bytes.ts';
import { bytesToHex, hexToBytes } from '../../hex.ts';
import type { Hex } from '../../types.ts';
import type { Eip1559Params, ExtraDataRules } from '../rules.ts';
import { extraDataError } from './error.ts';

const VERSION = 0;
const LENGTH = 9;

/**
 * extraData of holocene: 0x00 ‖ u32 denominator ‖ u32 elasticity (op-geth: `EncodeHoloceneExtraData`,
 * `ValidateHoloceneExtraData`).
 * Specification: holocene, EIP-1559 parameters in the block header.
 */
export const version0ExtraData: ExtraDataRules = {
  length: LENGTH,
  encode: (params, constants) => bytesToHex(encodeDenominatorAndElasticity(VERSION, params, constants)),
  decode: (extraData) => ({ ...decodeDenominatorAndElasticity(extraData, VERSION, LENGTH).params, minBaseFee: 0 }),
};

/** Encodes version ‖ u32 denominator ‖ u32 elasticity; both zero: the chain's constants. */
export function encodeDenominatorAndElasticity(
  version: number,
  params: Eip1559Params,
  constants: Eip1559Params,
): Uint8Array {
  const { denominator, elasticity } = params.denominator === 0 && params.elasticity === 0 ? constants : params;
  return concat(Uint8Array.of(version), u32be(denominator), u32be(elasticity));
}

/**
 * Decodes denominator and elasticity (op-geth: `DecodeHoloceneExtraData`, `DecodeHolocene1559Params`).
 * @throws ProtocolError extra-data-invalid on a wrong length or version, or a zero
 */
export function decodeDenominatorAndElasticity(extraData: Hex, version: number, length: number) {
  const bytes = hexToBytes(extraData);
  if (bytes.length !== length) throw extraDataError(extraData, `${length} bytes`);
  if (bytes[0] !== version) throw extraDataError(extraData, `of version ${version}`);
  const denominator = toNumber(bytes.subarray(1, 5));
  const elasticity = toNumber(bytes.subarray(5, 9));
  if (denominator === 0 || elasticity === 0)
    throw extraDataError(extraData, 'of a denominator and an elasticity other than zero');
  return { params: { denominator, elasticity }, bytes };
}
