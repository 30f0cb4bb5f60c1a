import { keccak256Text } from './hash.ts';
import type { Hex } from './types.ts';

/** An address with its checksum in the case of its letters (EIP-55). */
export function checksumAddress(address: Hex): Hex {
  const lower = address.slice(2).toLowerCase();
  const hash = keccak256Text(lower);
  let text = '';
  for (let at = 0; at < lower.length; at++) {
    const nibble = at % 2 === 0 ? hash[at >> 1]! >> 4 : hash[at >> 1]! & 15;
    text += nibble >= 8 ? lower[at]!.toUpperCase() : lower[at]!;
  }
  return `0x${text}`;
}
