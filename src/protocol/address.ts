import { keccak256Text } from './hash.ts';
import { bytesToHex } from './hex.ts';
import type { Hex } from './types.ts';

/** Returns an address with its checksum in the case of its letters (EIP-55; geth: `Address.Hex`). */
export function checksumAddress(address: Hex): Hex {
  const lower = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak256Text(lower)).slice(2);
  const raised = (letter: string, at: number) => (hash.charAt(at) >= '8' ? letter.toUpperCase() : letter);
  return `0x${lower.replace(/[a-f]/g, raised)}`;
}
