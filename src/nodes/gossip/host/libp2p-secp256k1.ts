import { randomBytes } from 'node:crypto';
import { publicKeyOf } from '../../../system/crypto/secp256k1.ts';
import { isPrivateKey, libsecp256k1 } from '../../crypto/secp256k1.ts';

/**
 * Implements the part of `secp256k1` of `@noble/curves` that `@libp2p/crypto` uses, over libsecp256k1.
 * The build substitutes it: noble computes generator tables at the first key, a sixth of a rollup node's start.
 * Hashes are 32 bytes; signatures are DER with low s only.
 */
export const secp256k1 = {
  getPublicKey: (key: Uint8Array, compressed = true) => publicKeyOf(key, compressed ? 'compressed' : 'uncompressed'),
  sign: (hash: Uint8Array, key: Uint8Array) =>
    libsecp256k1().signatureExport(libsecp256k1().ecdsaSign(hash, key).signature),
  verify(der: Uint8Array, hash: Uint8Array, key: Uint8Array): boolean {
    try {
      return libsecp256k1().ecdsaVerify(libsecp256k1().signatureImport(der), hash, key);
    } catch {
      return false;
    }
  },
  Point: {
    /** @throws Error if the bytes encode no point of the curve */
    fromBytes(key: Uint8Array) {
      const point = libsecp256k1().publicKeyConvert(key, false);
      return { toBytes: (compressed = true) => libsecp256k1().publicKeyConvert(point, compressed) };
    },
  },
  utils: {
    randomSecretKey(): Uint8Array {
      for (;;) {
        const key = randomBytes(32);
        if (isPrivateKey(key)) return key;
      }
    },
  },
};
