import fc from 'fast-check';
import { bytesToHex } from '../../src/protocol/hex.ts';
import type { Hex } from '../../src/protocol/types.ts';

/** Hex data of exactly `size` bytes. */
export const hexOfSize = (size: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: size, maxLength: size }).map(bytesToHex);
/** Hex data of up to `most` bytes. */
export const data = (most: number): fc.Arbitrary<Hex> => fc.uint8Array({ maxLength: most }).map(bytesToHex);
export const hash = hexOfSize(32);
export const address = hexOfSize(20);
/** Any uint64. */
export const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
