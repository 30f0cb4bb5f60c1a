import { type Hex, isHex } from 'viem';

/** Returns a value read from a file or a library as hex. @throws Error if it is not 0x and hex digits */
export function hexOf(value: unknown): Hex {
  if (!isHex(value)) throw new Error(`expected 0x and hex digits, found ${JSON.stringify(value)}`);
  return value;
}
