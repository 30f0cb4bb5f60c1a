import type { CustomCrypto } from '@ethereumjs/common';
import { keccak256Bytes, useKeccak } from '../../../protocol/hash.ts';
import { wasmKeccak } from '../../../system/keccak.ts';
import { recoverPublicKey } from '../../shared/secp256k1.ts';

/** Puts the fast keccak in place, once per process. */
export async function prepareCrypto(): Promise<void> {
  useKeccak(await wasmKeccak());
}

/** Address (20 bytes) that signed a 32-byte message. @throws where the signature is no signature */
export function recoverAddress(message: Uint8Array, r: Uint8Array, s: Uint8Array, recovery: number): Uint8Array {
  const signature = new Uint8Array(64);
  signature.set(r, 32 - r.length);
  signature.set(s, 64 - s.length);
  return keccak256Bytes(recoverPublicKey(signature, recovery, message)).subarray(12);
}

/** What the EVM library takes in place of its own primitives. */
export const customCrypto: CustomCrypto = {
  keccak256: (bytes) => keccak256Bytes(bytes),
  ecrecover: (message, v, r, s) => {
    const recovery = Number(v) - 27;
    if (recovery !== 0 && recovery !== 1) throw new Error('recovery id must be 27 or 28');
    const signature = new Uint8Array(64);
    signature.set(r, 32 - r.length);
    signature.set(s, 64 - s.length);
    return recoverPublicKey(signature, recovery, message);
  },
};
