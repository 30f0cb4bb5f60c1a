import { hkdfSync } from 'node:crypto';

/** HKDF-SHA256 (RFC 5869) to 32 bytes, by Node's own OpenSSL: a library's takes milliseconds at its first calls. */
export function hkdf(key: Uint8Array, salt: Uint8Array, info: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, salt, info, 32));
}
