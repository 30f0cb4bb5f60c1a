import { createRequire } from 'node:module';
import { publicKeyOf as pointOfKey } from '../../system/crypto/secp256k1.ts';

/** The part of the `secp256k1` package in use: libsecp256k1, or the package's own JavaScript if no binary fits. */
interface Library {
  publicKeyConvert(key: Uint8Array, compressed: boolean): Uint8Array;
  signatureExport(signature: Uint8Array): Uint8Array;
  signatureImport(der: Uint8Array): Uint8Array;
  ecdsaVerify(signature: Uint8Array, hash: Uint8Array, key: Uint8Array): boolean;
  ecdsaSign(hash: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, compressed: boolean): Uint8Array;
}

let library: Library | undefined;

/** Loads the library at the first signature, which keeps it out of the start. */
export function libsecp256k1(): Library {
  library ??= createRequire(import.meta.url)('secp256k1') as Library;
  return library;
}

/** Tells whether 32 bytes are a private key: not zero and below the curve's order. */
export function isPrivateKey(key: Uint8Array): boolean {
  try {
    return publicKeyOf(key).length > 0;
  } catch {
    return false;
  }
}

/** Returns the public key of a private key, 64 bytes (x ‖ y). @throws Error on an invalid key */
export function publicKeyOf(key: Uint8Array): Uint8Array {
  return pointOfKey(key, 'uncompressed').subarray(1);
}

/** Signs a 32-byte hash (geth: `crypto.Sign`). Returns r ‖ s with low s, and the recovery id. */
export function sign(hash: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recovery: number } {
  const { signature, recid } = libsecp256k1().ecdsaSign(hash, key);
  return { signature, recovery: recid };
}

/**
 * Recovers the public key (64 bytes) that made r ‖ s over a 32-byte hash (geth: `Ecrecover`).
 * @throws Error if none did
 */
export function recoverPublicKey(signature: Uint8Array, recovery: number, hash: Uint8Array): Uint8Array {
  return libsecp256k1().ecdsaRecover(signature, recovery, hash, false).subarray(1);
}

/** Returns the 64 bytes (x ‖ y) of a public key of 33 or 65 bytes. @throws Error if it is no point of the curve */
export function pointOf(key: Uint8Array): Uint8Array {
  return libsecp256k1().publicKeyConvert(key, false).subarray(1);
}
