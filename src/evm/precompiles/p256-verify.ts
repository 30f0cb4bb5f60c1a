import { createECDH } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { concat } from '../../protocol/bytes.ts';
import { truth } from './shared/input.ts';
import { bytesOf, numberOf } from './shared/numbers.ts';

const INPUT_BYTES = 160;
const { Point } = p256;
const { Fp, Fn } = Point;
const { a, b } = Point.CURVE();
const NOTHING = new Uint8Array();

/**
 * P256VERIFY (RIP-7212, EIP-7951): 1 if a signature over secp256r1 holds, else no output.
 * The input: hash, r, s, x, y.
 */
export function p256Verify(input: Uint8Array): Uint8Array {
  if (input.length !== INPUT_BYTES) return NOTHING;
  const [hash = 0n, r = 0n, s = 0n, x = 0n, y = 0n] = [0, 32, 64, 96, 128].map((at) =>
    numberOf(input.subarray(at, at + 32)),
  );
  if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s) || !isOnCurve(x, y)) return NOTHING;
  return holds(hash, r, s, { x, y }) ? truth(true) : NOTHING;
}

function isOnCurve(x: bigint, y: bigint): boolean {
  return x < Fp.ORDER && y < Fp.ORDER && (y * y - (x * x + a) * x - b) % Fp.ORDER === 0n;
}

/**
 * Tells whether r is the x-coordinate of (hash/s) G + (r/s) Q. That point is (r/s) T with T = Q + (hash/r) G.
 * OpenSSL computes both products: the first as a public key, the other as the shared secret of T, which is its
 * x-coordinate. Node has no check of a signature over a hash.
 */
function holds(hash: bigint, r: bigint, s: bigint, key: { readonly x: bigint; readonly y: bigint }): boolean {
  const ecdh = createECDH('prime256v1');
  const factor = Fn.mul(Fn.create(hash), Fn.inv(r));
  let point = Point.fromAffine(key);
  if (factor !== 0n) {
    ecdh.setPrivateKey(bytesOf(factor, 32));
    const product = ecdh.getPublicKey();
    point = point.add(Point.fromAffine({ x: numberOf(product.subarray(1, 33)), y: numberOf(product.subarray(33)) }));
    if (point.is0()) return false;
  }
  const sum = point.toAffine();
  ecdh.setPrivateKey(bytesOf(Fn.mul(r, Fn.inv(s)), 32));
  const secret = ecdh.computeSecret(concat(Uint8Array.of(4), bytesOf(sum.x, 32), bytesOf(sum.y, 32)));
  return Fn.create(numberOf(secret)) === r;
}
