import { randomBytes } from 'node:crypto';
import { quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/** Name of a filter or subscription that nobody guesses: 16 random bytes as a quantity. */
export function randomId(): Hex {
  return quantity(BigInt(`0x${randomBytes(16).toString('hex')}`));
}
