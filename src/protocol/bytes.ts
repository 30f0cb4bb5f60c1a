import { ProtocolError } from './errors.ts';

/** The empty byte string. */
export const NO_BYTES = new Uint8Array();

/** All parts one after another in one array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return concatAll(parts);
}

/** Like {@link concat}, for a list that may be longer than an argument list. */
export function concatAll(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Big-endian unsigned integer in exactly `size` bytes. @throws ProtocolError out-of-range */
export function uintBe(value: bigint | number, size: number): Uint8Array {
  if (value < 0) throw outOfRange(value, size);
  const bytes = new Uint8Array(size);
  if (Number.isSafeInteger(value)) {
    let rest = Number(value);
    for (let at = size - 1; rest > 0 && at >= 0; rest = Math.floor(rest / 256)) bytes[at--] = rest % 256;
    if (rest > 0) throw outOfRange(value, size);
    return bytes;
  }
  const least = bigIntBytes(BigInt(value));
  if (least.length > size) throw outOfRange(value, size);
  for (let at = 0, to = size - least.length; to < size; at++, to++) bytes[to] = byteAt(least, at);
  return bytes;
}

/** Receives an integer of up to 256 bits before its bytes are copied. */
const LIMBS = new Uint8Array(32);
const LIMB_VIEW = new DataView(LIMBS.buffer);

/** Returns the bytes of an integer that is not negative: big-endian, no leading zeros, none for zero. */
export function bigIntBytes(value: bigint): Uint8Array {
  let rest = value;
  let at = LIMBS.length;
  for (; rest > 0n && at > 0; rest >>= 64n) {
    at -= 8;
    // The view takes the lowest 64 bits.
    LIMB_VIEW.setBigUint64(at, rest);
  }
  while (at < LIMBS.length && LIMBS[at] === 0) at++;
  return rest === 0n ? LIMBS.slice(at) : longBytes(value);
}

function longBytes(value: bigint): Uint8Array {
  const digits = value.toString(16);
  const bytes = new Uint8Array((digits.length + 1) >> 1);
  for (let end = digits.length, at = bytes.length - 1; at >= 0; end -= 2, at--)
    bytes[at] = Number.parseInt(digits.substring(end - 2, end), 16);
  return bytes;
}

/** 2 bytes, big-endian. @throws ProtocolError out-of-range */
export const u16be = (value: number): Uint8Array => uintBe(value, 2);
/** 4 bytes, big-endian. @throws ProtocolError out-of-range */
export const u32be = (value: number): Uint8Array => uintBe(value, 4);
/** 8 bytes, big-endian. @throws ProtocolError out-of-range */
export const u64be = (value: bigint | number): Uint8Array => uintBe(value, 8);
/** 32 bytes, big-endian. @throws ProtocolError out-of-range */
export const u256be = (value: bigint | number): Uint8Array => uintBe(value, 32);

/** 8 bytes, little-endian. @throws ProtocolError out-of-range */
export const u64le = (value: bigint | number): Uint8Array => uintBe(value, 8).reverse();
/** 32 bytes, little-endian. @throws ProtocolError out-of-range */
export const u256le = (value: bigint | number): Uint8Array => uintBe(value, 32).reverse();

/** Returns the byte at an index; 0 past the end. */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

/** Sets bits of the byte at an index, and leaves its other bits. */
export function setBits(bytes: Uint8Array, index: number, bits: number): void {
  bytes[index] = byteAt(bytes, index) | bits;
}

/** Returns the bytes from the first that is not 0 on. They share memory with the input. */
export function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < bytes.length && bytes[at] === 0) at += 1;
  return bytes.subarray(at);
}

/** Bytes of an integer that a number holds exactly. */
const NUMBER_BYTES = 6;

/** Big-endian unsigned integer of all the bytes, or of those from `start` to `stop`; 0 for none. */
export function toBigInt(bytes: Uint8Array, start = 0, stop = bytes.length): bigint {
  const first = start + ((stop - start) % NUMBER_BYTES || NUMBER_BYTES);
  let value = 0n;
  // The first part has what is left of whole parts: most integers are one part.
  for (let at = start, end = first; end <= stop; end += NUMBER_BYTES) {
    let part = 0;
    for (; at < end; at++) part = part * 256 + byteAt(bytes, at);
    value = end === first ? BigInt(part) : (value << 48n) | BigInt(part);
  }
  return value;
}

/** Like {@link toBigInt} for values that fit 2^53. @throws ProtocolError out-of-range */
export function toNumber(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  if (!Number.isSafeInteger(value)) {
    throw new ProtocolError('out-of-range', 'drop', `integer of ${bytes.length} bytes exceeds 2^53`, {
      field: 'integer',
      value,
    });
  }
  return value;
}

/** Lexicographic order of byte strings, for sorting. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const difference = byteAt(left, at) - byteAt(right, at);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function outOfRange(value: bigint | number, size: number): ProtocolError {
  return new ProtocolError('out-of-range', 'drop', `${value} does not fit ${size} unsigned bytes`, {
    field: `u${size * 8}`,
    value,
  });
}
