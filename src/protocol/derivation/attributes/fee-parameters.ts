import { concat, toBigInt, toNumber, u32be, u64be } from '../../bytes.ts';
import { bytesToHex, hexToSized } from '../../hex.ts';
import type { Hex } from '../../types.ts';
import { DerivationError } from '../error.ts';

/** L1 fee scalars as L1 attributes carry them from the packed encoding on (op-service: `EcotoneScalars`). */
export interface Scalars {
  readonly baseFeeScalar: number;
  readonly blobBaseFeeScalar: number;
}

const PLAIN = 0;
const PACKED = 1;

/**
 * Reads a system config's `scalar`: version 0 has a base fee scalar only, version 1 both scalars.
 * Counterpart in op-service: `DecodeScalar`.
 * @throws DerivationError (fatal) on any other version
 */
export function decodeScalars(scalar: Hex): Scalars {
  const bytes = hexToSized(scalar, 32);
  const baseFeeScalar = toNumber(bytes.subarray(28));
  if (bytes[0] === PLAIN) return { baseFeeScalar, blobBaseFeeScalar: 0 };
  if (bytes[0] === PACKED) return { baseFeeScalar, blobBaseFeeScalar: toNumber(bytes.subarray(24, 28)) };
  throw new DerivationError('fatal', `system config scalar ${scalar} has version ${bytes[0]}, expected 0 or 1`);
}

/** Encodes a system config's `scalar` of version 1 (op-service: `EncodeScalar`). */
export function encodeScalars({ baseFeeScalar, blobBaseFeeScalar }: Scalars): Hex {
  return bytesToHex(concat(Uint8Array.of(PACKED), new Uint8Array(23), u32be(blobBaseFeeScalar), u32be(baseFeeScalar)));
}

/**
 * Tells whether a scalar follows one of the versions with all other bytes zero.
 * An update to any other is ignored. Counterpart in op-service: `CheckEcotoneL1SystemConfigScalar`.
 */
export function isValidScalar(scalar: Uint8Array): boolean {
  const from = scalar[0] === PLAIN ? 28 : scalar[0] === PACKED ? 24 : 0;
  return from > 0 && scalar.subarray(1, from).every((byte) => byte === 0);
}

/** Operator fee parameters as L1 attributes carry them (op-service: `OperatorFeeParams`). */
export interface OperatorFee {
  readonly operatorFeeScalar: number;
  readonly operatorFeeConstant: bigint;
}

/** Reads a system config's `operatorFeeParams`. */
export function decodeOperatorFee(params: Hex): OperatorFee {
  const bytes = hexToSized(params, 32);
  return {
    operatorFeeScalar: toNumber(bytes.subarray(20, 24)),
    operatorFeeConstant: toBigInt(bytes.subarray(24)),
  };
}

/** Encodes a system config's `operatorFeeParams` (op-service: `EncodeOperatorFeeParams`). */
export function encodeOperatorFee({ operatorFeeScalar, operatorFeeConstant }: OperatorFee): Hex {
  return bytesToHex(concat(new Uint8Array(20), u32be(operatorFeeScalar), u64be(operatorFeeConstant)));
}
