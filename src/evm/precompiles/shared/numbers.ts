import { toBigInt } from '../../../protocol/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';

/** Bytes up to which shifts are faster than a conversion through hex, whose time is linear. */
const SHORT = 64;

/** Returns the big-endian number of bytes of any length. */
export function numberOf(bytes: Uint8Array): bigint {
  return bytes.length <= SHORT ? toBigInt(bytes) : BigInt(bytesToHex(bytes));
}

/** Returns a number as `size` bytes, big-endian. It fits. */
export function bytesOf(value: bigint, size: number): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(2 * size, '0')}`);
}
