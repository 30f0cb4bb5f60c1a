import { ProtocolError } from './errors.ts';

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
  const bytes = new Uint8Array(size);
  let rest = BigInt(value);
  if (rest < 0n) throw outOfRange(value, size);
  for (let at = size - 1; at >= 0 && rest > 0n; at--) {
    bytes[at] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  if (rest > 0n) throw outOfRange(value, size);
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

/** Big-endian unsigned integer of all the bytes; 0 for none. */
export function toBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    const rest = (byteAt(bytes, at + 1) << 16) | (byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3);
    const word = byteAt(bytes, at) * 0x1000000 + rest;
    value = (value << 32n) | BigInt(word);
  }
  for (; at < bytes.length; at++) value = (value << 8n) | BigInt(byteAt(bytes, at));
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
