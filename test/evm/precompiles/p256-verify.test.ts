import { p256 } from '@noble/curves/nist.js';
import { expect, it } from 'vitest';
import { concat, u256be } from '../../../src/protocol/bytes.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { Random } from '../../nodes/execution/differential/random.ts';
import { outputOf } from './support.ts';

const { Point } = p256;
const { Fn, Fp } = Point;
const HASH = '4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4d';
const R = 'a73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac';
const S = '36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d60';
const X = '4aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff3';
const Y = '7618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e';
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const TRUE = word(1n);

it.each([
  ['returns 1 when a signature holds', HASH + R + S + X + Y, TRUE],
  ['returns 1 when s is the higher one', HASH + R + word(Fn.ORDER - BigInt(`0x${S}`)) + X + Y, TRUE],
  ['returns nothing when the hash is another one', R + R + S + X + Y, ''],
  ['returns nothing when r is 0', HASH + word(0n) + S + X + Y, ''],
  ['returns nothing when r is the order', HASH + word(Fn.ORDER) + S + X + Y, ''],
  ['returns nothing when s is 0', HASH + R + word(0n) + X + Y, ''],
  ['returns nothing when s is the order', HASH + R + word(Fn.ORDER) + X + Y, ''],
  ['returns nothing when the key is not on the curve', HASH + R + S + Y + X, ''],
  ['returns nothing when the key is infinity', HASH + R + S + word(0n) + word(0n), ''],
  ['returns nothing when the key is not below the modulus', HASH + R + S + word(Fp.ORDER) + Y, ''],
  ['returns nothing when a byte is missing', (HASH + R + S + X + Y).slice(2), ''],
  ['returns nothing when there is a byte more', `${HASH}${R}${S}${X}${Y}00`, ''],
])('P256VERIFY %s', async (_, input, expected) => {
  expect(await outputOf(0x100, input)).toBe(expected);
});

/** Input whose signature over a hash holds, with a point of the curve as its nonce. */
function forged(nonce: typeof Point.BASE, hash: bigint, s: bigint): string {
  const r = Fn.create(nonce.toAffine().x);
  const difference = nonce.multiplyUnsafe(s).subtract(Point.BASE.multiplyUnsafe(Fn.create(hash)));
  const { x, y } = difference.multiplyUnsafe(Fn.inv(r)).toAffine();
  return word(hash) + word(r) + word(s) + word(x) + word(y);
}

it('P256VERIFY returns 1 when the x-coordinate of the nonce is above the order', async () => {
  let x = Fn.ORDER;
  const yOf = () => {
    try {
      return Fp.sqrt(Fp.create(x ** 3n + Point.CURVE().a * x + Point.CURVE().b));
    } catch {
      return undefined;
    }
  };
  while (x === Fn.ORDER || yOf() === undefined) x++;
  const input = forged(Point.fromAffine({ x, y: yOf()! }), 12_345n, 678n);
  expect(await outputOf(0x100, input)).toBe(TRUE);
});

it.each([
  ['0', 0n],
  ['the order', Fn.ORDER],
  ['above the order', 2n ** 256n - 1n],
])('P256VERIFY returns 1 when the hash is %s and the signature holds', async (_, hash) => {
  expect(await outputOf(0x100, forged(Point.BASE.multiply(77n), hash, 99n))).toBe(TRUE);
});

it('P256VERIFY returns nothing when the key is the opposite of the point of the hash', async () => {
  const [hash, r, s] = [555n, 44n, 33n];
  const { x, y } = Point.BASE.multiply(Fn.mul(hash, Fn.inv(r)))
    .negate()
    .toAffine();
  expect(await outputOf(0x100, word(hash) + word(r) + word(s) + word(x) + word(y))).toBe('');
});

it('P256VERIFY returns 1 when the key is the point of the hash', async () => {
  // Then the nonce is (2 hash / s) G.
  const { x: r } = Point.BASE.multiply(777n).toAffine();
  const s = 5n;
  const hash = Fn.div(Fn.mul(777n, s), 2n);
  const { x, y } = Point.BASE.multiply(Fn.div(hash, r)).toAffine();
  expect(await outputOf(0x100, word(hash) + word(r) + word(s) + word(x) + word(y))).toBe(TRUE);
});

it('P256VERIFY returns nothing when a coordinate that is 0 stands as the modulus', async () => {
  const y = Fp.sqrt(Point.CURVE().b);
  // With the nonce 3 G + 5 Q, a signature of any key Q can be made.
  const r = Fn.create(
    Point.BASE.multiplyUnsafe(3n)
      .add(Point.fromAffine({ x: 0n, y }).multiplyUnsafe(5n))
      .toAffine().x,
  );
  const signature = word(Fn.div(Fn.mul(3n, r), 5n)) + word(r) + word(Fn.div(r, 5n));
  expect(await outputOf(0x100, signature + word(0n) + word(y))).toBe(TRUE);
  expect(await outputOf(0x100, signature + word(Fp.ORDER) + word(y))).toBe('');
});

it('P256VERIFY agrees with the library of curves on signatures with a bit that may be wrong', async () => {
  const random = new Random(256);
  for (let round = 0; round < 60; round++) {
    const key = u256be(BigInt(bytesToHex(random.bytes(31))) + 1n);
    const hash = random.bytes(32);
    const signature = p256.sign(hash, key, { prehash: false, lowS: false });
    const input = concat(hash, signature, p256.getPublicKey(key, false).subarray(1));
    if (random.chance(0.5)) {
      const at = random.below(160);
      input[at] = input[at]! ^ (1 << random.below(8));
    }
    const text = bytesToHex(input).slice(2);
    expect(await outputOf(0x100, text)).toBe(isValid(input) ? TRUE : '');
  }
});

function isValid(input: Uint8Array): boolean {
  try {
    const key = concat(Uint8Array.of(4), input.subarray(96));
    return p256.verify(input.subarray(32, 96), input.subarray(0, 32), key, { prehash: false, lowS: false });
  } catch {
    return false;
  }
}
