import { byteAt } from './bytes.ts';
import { ProtocolError } from './errors.ts';
import type { Hex } from './types.ts';

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Length (bytes) from which the runtime's own decoder is faster than a loop. */
const MIN_NATIVE_BYTES = 64;
const CHUNK_BYTES = 4096;

/** The part of Node's `Buffer` in use. A runtime without `Buffer` takes the loops. */
interface NativeCodec {
  from(
    memory: ArrayBufferLike,
    at: number,
    length: number,
  ): { toString(as: 'hex'): string; write(text: string, as: 'hex'): number };
  /** It decodes hex here. */
  readonly prototype: { latin1Slice(this: Uint8Array, from: number, to: number): Hex };
}
const native = (globalThis as { readonly Buffer?: NativeCodec }).Buffer;

/** Bytes of the longest short text: those of addresses, words and hashes. */
const SHORT_BYTES = 32;
/** A short text as ASCII, and its pairs of digits. Strings that grow digit by digit leave many strings behind. */
const TEXT = new TextEncoder().encode(`0x${'00'.repeat(SHORT_BYTES)}`);
const TEXT_PAIRS = new Uint16Array(TEXT.buffer);
const ASCII_PAIRS = new Uint16Array(new TextEncoder().encode(PAIRS.join('')).buffer);

function shortHex(bytes: Uint8Array, { prototype }: NativeCodec): Hex {
  const { length } = bytes;
  for (let at = 0; at < length; at++) TEXT_PAIRS[at + 1] = ASCII_PAIRS[bytes[at] ?? 0] ?? 0;
  return prototype.latin1Slice.call(TEXT, 0, 2 + 2 * length);
}

/** Encodes bytes as `0x`-prefixed lower-case hex (geth: `hexutil.Encode`). */
export function bytesToHex(bytes: Uint8Array): Hex {
  if (native && bytes.length <= SHORT_BYTES) return shortHex(bytes, native);
  if (native) return `0x${native.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const end = Math.min(start + CHUNK_BYTES, bytes.length);
    let part = '';
    for (let at = start; at < end; at++) part += PAIRS[byteAt(bytes, at)];
    text += part;
  }
  return `0x${text}`;
}

/** Value of an ASCII hex digit, or -1. */
function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/**
 * Decodes `0x`-prefixed hex of an even number of digits (geth: `hexutil.Decode`). @throws ProtocolError hex-malformed
 */
export function hexToBytes(hex: string): Uint8Array {
  const length = (hex.length - 2) / 2;
  if (!(hex.startsWith('0x') && Number.isInteger(length))) throw malformed(hex, 'even-length hex after 0x');
  const bytes = new Uint8Array(length);
  if (native && length >= MIN_NATIVE_BYTES) {
    // `write` stops at the first character that is no hex digit.
    if (native.from(bytes.buffer, 0, length).write(hex.slice(2), 'hex') !== length) throw malformed(hex, 'hex digits');
    return bytes;
  }
  for (let at = 0, from = 2; at < length; at++, from += 2) {
    const high = digit(hex.charCodeAt(from));
    const low = digit(hex.charCodeAt(from + 1));
    if (high < 0 || low < 0) throw malformed(hex, 'hex digits');
    bytes[at] = (high << 4) | low;
  }
  return bytes;
}

/**
 * Decodes each text like {@link hexToBytes}, into views of one array: cheaper for a large block than one array each.
 */
export function hexToBytesJoined(list: readonly string[]): Uint8Array {
  for (const hex of list)
    if (!hex.startsWith('0x') || hex.length % 2 === 1) throw malformed(hex, 'even-length hex after 0x');
  return hexToBytes(`0x${list.map((hex) => hex.slice(2)).join('')}`);
}

/** {@link hexToBytes} of each: views of one array. */
export function hexToBytesAll(list: readonly string[]): Uint8Array[] {
  const all = hexToBytesJoined(list);
  let end = 0;
  return list.map((hex) => {
    const start = end;
    end += (hex.length - 2) / 2;
    return all.subarray(start, end);
  });
}

/** Like {@link hexToBytes}, of exactly `size` bytes. @throws ProtocolError hex-malformed */
export function hexToSized(hex: string, size: number): Uint8Array {
  const bytes = hexToBytes(hex);
  if (bytes.length !== size) throw malformed(hex, `${size} bytes`);
  return bytes;
}

/** Encodes a non-negative integer as a JSON-RPC QUANTITY, without leading zeros (geth: `hexutil.EncodeBig`). */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** Returns hex data with a prefix in lower case. */
export function lowerHex(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`;
}

/** Returns the length (bytes) of hex data without decoding it. */
export function hexLength(hex: Hex): number {
  return (hex.length - 2) / 2;
}

/** Tells whether two hex strings are the same data, whatever the case of their digits. */
export function sameHex(left: string, right: string): boolean {
  return left === right || left.toLowerCase() === right.toLowerCase();
}

function malformed(value: string, expected: string): ProtocolError {
  const text = value.length > 80 ? `${value.slice(0, 80)}… (${value.length} characters)` : value;
  return new ProtocolError('hex-malformed', 'drop', `expected ${expected}, found "${text}"`, { value: text });
}
