import { concat } from '../bytes.ts';
import { rlpEncode, rlpUint } from '../codec/rlp.ts';
import { keccak256Bytes } from '../hash.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import type { Hex } from '../types.ts';

/**
 * Returns the address of a contract creation, whether or not it succeeds (Yellow Paper, section 7).
 * Counterpart in geth: `CreateAddress`.
 */
export function contractAddress(from: Hex, nonce: bigint): Hex {
  return bytesToHex(keccak256Bytes(rlpEncode([hexToBytes(from), rlpUint(nonce)])).subarray(12));
}

/** Returns the address of a contract that CREATE2 makes (EIP-1014). Counterpart in geth: `CreateAddress2`. */
export function saltedContractAddress(from: Hex, salt: Uint8Array, initcode: Uint8Array): Hex {
  const hash = keccak256Bytes(concat(Uint8Array.of(0xff), hexToBytes(from), salt, keccak256Bytes(initcode)));
  return bytesToHex(hash.subarray(12));
}
