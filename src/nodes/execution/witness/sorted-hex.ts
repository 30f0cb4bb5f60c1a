import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/** Returns byte strings as hex in ascending order. */
export function sortedHex(list: readonly Uint8Array[]): Hex[] {
  return list.map(bytesToHex).sort();
}
