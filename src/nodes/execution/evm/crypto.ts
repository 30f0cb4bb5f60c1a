import { keccak256Bytes, useKeccak } from '../../../protocol/hash.ts';
import { wasmKeccak } from '../../../system/crypto/keccak.ts';
import { recoverPublicKey } from '../../crypto/secp256k1.ts';

/** Installs the WebAssembly keccak, once per process. */
export async function prepareCrypto(): Promise<void> {
  useKeccak(await wasmKeccak());
}

/**
 * Recovers the 20-byte address that signed a 32-byte message (geth: `recoverPlain`). @throws on an invalid signature
 */
export function recoverAddress(message: Uint8Array, r: Uint8Array, s: Uint8Array, recovery: number): Uint8Array {
  const signature = new Uint8Array(64);
  signature.set(r, 32 - r.length);
  signature.set(s, 64 - s.length);
  return keccak256Bytes(recoverPublicKey(signature, recovery, message)).subarray(12);
}
