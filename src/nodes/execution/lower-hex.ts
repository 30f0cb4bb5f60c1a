import type { Hex } from '../../protocol/types.ts';

/** Returns checked hex data of a request in lower case. */
export function lowerHex(text: string): Hex {
  return text.toLowerCase() as Hex;
}
