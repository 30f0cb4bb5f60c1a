import { createRequire } from 'node:module';

/** The part of the `secp256k1` package in use: libsecp256k1, or the package's own JavaScript where no binary fits. */
interface Library {
  privateKeyVerify(key: Uint8Array): boolean;
  publicKeyCreate(key: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(hash: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
  ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, compressed: boolean): Uint8Array;
}

let library: Library | undefined;

/** Loaded at the first key or signature: a node that sees none starts without it. */
function loaded(): Library {
  library ??= createRequire(import.meta.url)('secp256k1') as Library;
  return library;
}

/** Whether 32 bytes are a private key: not zero and below the curve's order. */
export function isPrivateKey(key: Uint8Array): boolean {
  return key.length === 32 && loaded().privateKeyVerify(key);
}

/** Public key of a private one, 64 bytes (x ‖ y). @throws Error where it is none */
export function publicKeyOf(key: Uint8Array): Uint8Array {
  return loaded().publicKeyCreate(key, false).subarray(1);
}

/** Signs a 32-byte hash: r ‖ s with low s, and which of the two points it was. */
export function sign(hash: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recovery: number } {
  const { signature, recid } = loaded().ecdsaSign(hash, key);
  return { signature, recovery: recid };
}

/** Public key (64 bytes) that made r ‖ s over a 32-byte hash. @throws Error where no key did */
export function recoverPublicKey(signature: Uint8Array, recovery: number, hash: Uint8Array): Uint8Array {
  return loaded().ecdsaRecover(signature, recovery, hash, false).subarray(1);
}
