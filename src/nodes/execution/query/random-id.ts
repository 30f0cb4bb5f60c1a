import { randomBytes } from 'node:crypto';
import { quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/** Returns an unguessable id of a filter or subscription: 16 random bytes as a quantity (geth: `rpc.NewID`). */
export function randomId(): Hex {
  return quantity(BigInt(`0x${randomBytes(16).toString('hex')}`));
}
