import { rlpEncode, rlpUint } from '../../../protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/**
 * Returns the address of a contract creation, whether or not it succeeds (Yellow Paper, section 7).
 * Counterpart in geth: `CreateAddress`.
 */
export function contractAddress(from: Hex, nonce: bigint): Hex {
  return bytesToHex(keccak256Bytes(rlpEncode([hexToBytes(from), rlpUint(nonce)])).subarray(12));
}
