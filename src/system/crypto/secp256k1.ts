import { createECDH } from 'node:crypto';

/**
 * Returns the public key of a secp256k1 private key, 33 bytes compressed or 65.
 * Node's own OpenSSL computes it: a library's tables cost a process 15 ms at its first key.
 * @throws Error if the bytes are no private key: not 32, zero, or not below the curve's order
 */
export function publicKeyOf(privateKey: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array {
  if (privateKey.length !== 32) throw new Error(`a private key has 32 bytes, not ${privateKey.length}`);
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(privateKey);
  return Uint8Array.from(curve.getPublicKey(null, form));
}
