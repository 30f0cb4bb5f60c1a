import { secp256k1 as noble } from '@noble/curves/secp256k1.js';
import { assert, property, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';
import { secp256k1 as native } from '../../../../src/nodes/gossip/host/libp2p-secp256k1.ts';

const RAW = { prehash: false, format: 'der' } as const;
const hashes = uint8Array({ minLength: 32, maxLength: 32 });

it('the secp256k1 library matches the keys, signatures and verdicts of @noble/curves', () => {
  assert(
    property(hashes, hashes, (hash, seed) => {
      const key = noble.utils.isValidSecretKey(seed) ? seed : native.utils.randomSecretKey();
      const publicKey = noble.getPublicKey(key, true);
      expect(Uint8Array.from(native.getPublicKey(key))).toEqual(publicKey);
      expect(Uint8Array.from(native.Point.fromBytes(publicKey).toBytes(false))).toEqual(noble.getPublicKey(key, false));
      const signature = noble.sign(hash, key, RAW);
      expect(Uint8Array.from(native.sign(hash, key))).toEqual(signature);
      expect(native.verify(signature, hash, publicKey)).toBe(true);
      const other = Uint8Array.from(hash, (byte, at) => (at === 0 ? byte ^ 1 : byte));
      expect(native.verify(signature, other, publicKey)).toBe(noble.verify(signature, other, publicKey, RAW));
    }),
    { numRuns: 50 },
  );
});

it('the secp256k1 library rejects malformed keys, points and signatures, as that library does', () => {
  expect(() => native.getPublicKey(new Uint8Array(32))).toThrow();
  expect(() => native.Point.fromBytes(new Uint8Array(33).fill(5))).toThrow();
  const key = native.utils.randomSecretKey();
  expect(native.verify(new Uint8Array(70), new Uint8Array(32), native.getPublicKey(key))).toBe(false);
  // The same signature with n - s: low s only.
  const { r, s } = noble.Signature.fromBytes(noble.sign(new Uint8Array(32), key, RAW), 'der');
  const high = new noble.Signature(r, noble.Point.Fn.ORDER - s).toBytes('der');
  expect(noble.verify(high, new Uint8Array(32), native.getPublicKey(key), RAW)).toBe(false);
  expect(native.verify(high, new Uint8Array(32), native.getPublicKey(key))).toBe(false);
});
