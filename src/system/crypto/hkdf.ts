import { hkdfSync } from 'node:crypto';

/** Derives 32 bytes by HKDF-SHA256 (RFC 5869). Node's own OpenSSL needs no warm-up, a library's first calls take ms. */
export function hkdf(key: Uint8Array, salt: Uint8Array, info: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, salt, info, 32));
}
