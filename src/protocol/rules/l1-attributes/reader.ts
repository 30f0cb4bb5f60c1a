import { ProtocolError } from '../../errors.ts';
import { ZERO_ADDRESS, ZERO_HASH } from '../../execution/constants.ts';
import { bytesToHex } from '../../hex.ts';
import type { Hex } from '../../types.ts';
import type { L1BlockInfo } from '../rules.ts';

/** Values of the fields that a version of the L1 attributes lacks. */
export const NO_L1_BLOCK_INFO: L1BlockInfo = {
  number: 0,
  timestamp: 0,
  baseFee: 0n,
  hash: ZERO_HASH,
  sequenceNumber: 0,
  batcherAddr: ZERO_ADDRESS,
  l1FeeOverhead: ZERO_HASH,
  l1FeeScalar: ZERO_HASH,
  baseFeeScalar: 0,
  blobBaseFeeScalar: 0,
  blobBaseFee: 0n,
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  daFootprintGasScalar: 0,
};

/** Reads calldata front to back (op-service: `solabi`). */
export interface L1AttributesReader {
  /** Returns the next `size` bytes. */
  take(size: number): Uint8Array;
  /** @throws ProtocolError l1-attributes-malformed unless the next bytes are zero */
  zeros(size: number): void;
  /** Reads a word that holds an address. */
  address(): Hex;
}

/** Creates a reader behind the selector. @throws ProtocolError l1-attributes-malformed on another length or selector */
export function l1AttributesReader(calldata: Uint8Array, selector: Hex, length: number): L1AttributesReader {
  const malformed = (expected: string) =>
    new ProtocolError(
      'l1-attributes-malformed',
      'drop',
      `L1 attributes must have ${expected}; found ${calldata.length} bytes`,
      {
        length: calldata.length,
      },
    );
  if (calldata.length !== length) throw malformed(`${length} bytes`);
  if (bytesToHex(calldata.subarray(0, 4)) !== selector) throw malformed(`selector ${selector}`);
  let at = 4;
  const take = (size: number) => {
    at += size;
    return calldata.subarray(at - size, at);
  };
  const zeros = (size: number) => {
    if (take(size).some((byte) => byte !== 0)) throw malformed(`zeros at ${at - size}`);
  };
  return {
    take,
    zeros,
    address() {
      zeros(12);
      return bytesToHex(take(20));
    },
  };
}
