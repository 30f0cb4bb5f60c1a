import { ProtocolError } from './errors.ts';
import type { Hex } from './types.ts';

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const CHUNK = 4096;
const hexCodec = Uint8Array.prototype as { toHex?(this: Uint8Array): string };

/** `0x`-prefixed lower-case hex of bytes. */
export function bytesToHex(bytes: Uint8Array): Hex {
  if (hexCodec.toHex !== undefined) return `0x${hexCodec.toHex.call(bytes)}`;
  let text = '0x';
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, bytes.length);
    let part = '';
    for (let at = start; at < end; at++) part += PAIRS[bytes[at]!];
    text += part;
  }
  return text as Hex;
}

/** Value of an ASCII hex digit, or -1. */
function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Bytes of `0x`-prefixed hex of an even number of digits. @throws ProtocolError hex-malformed */
export function hexToBytes(hex: string): Uint8Array {
  const length = (hex.length - 2) / 2;
  if (!(hex.startsWith('0x') && Number.isInteger(length))) throw malformed(hex, 'even-length hex after 0x');
  const bytes = new Uint8Array(length);
  for (let at = 0, from = 2; at < length; at++, from += 2) {
    const high = digit(hex.charCodeAt(from));
    const low = digit(hex.charCodeAt(from + 1));
    if (high < 0 || low < 0) throw malformed(hex, 'hex digits');
    bytes[at] = (high << 4) | low;
  }
  return bytes;
}

/** Like {@link hexToBytes}, of exactly `size` bytes. @throws ProtocolError hex-malformed */
export function hexToSized(hex: string, size: number): Uint8Array {
  const bytes = hexToBytes(hex);
  if (bytes.length !== size) throw malformed(hex, `${size} bytes`);
  return bytes;
}

/** JSON-RPC QUANTITY of a non-negative integer: no leading zeros. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** Length in bytes of hex data, without decoding it. */
export function hexLength(hex: Hex): number {
  return (hex.length - 2) / 2;
}

/** Whether two hex strings are the same data, whatever the case of their digits. */
export function sameHex(left: string, right: string): boolean {
  return left === right || left.toLowerCase() === right.toLowerCase();
}

function malformed(value: string, expected: string): ProtocolError {
  const shown = value.length > 80 ? `${value.slice(0, 80)}… (${value.length} characters)` : value;
  return new ProtocolError('hex-malformed', 'drop', `expected ${expected}, found "${shown}"`, { value: shown });
}
