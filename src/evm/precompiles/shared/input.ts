import { toBigInt, u256be } from '../../../protocol/bytes.ts';

const WORD = 32;

/** Returns bytes of an input from `from` on. Beyond its end stand zeros. */
export function inputBytes(input: Uint8Array, from: number, size: number): Uint8Array {
  if (from + size <= input.length) return input.subarray(from, from + size);
  const bytes = new Uint8Array(size);
  if (from < input.length) bytes.set(input.subarray(from));
  return bytes;
}

/** Returns the word of an input at a byte. Beyond its end stand zeros. */
export function inputWord(input: Uint8Array, from: number): bigint {
  return toBigInt(inputBytes(input, from, WORD));
}

/** Returns gas for a call and for each word of its input that has begun. */
export function perWord(base: bigint, word: bigint): (input: Uint8Array) => bigint {
  return (input) => base + word * BigInt(Math.ceil(input.length / WORD));
}

/** Tells whether each byte is zero. */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** The word that tells whether something holds: 1 or 0. */
export function truth(holds: boolean): Uint8Array {
  return u256be(holds ? 1 : 0);
}
