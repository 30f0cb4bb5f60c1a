import { bn254 } from '@noble/curves/bn254.js';
import { describe, expect, it } from 'vitest';
import { uintBe } from '../../../src/protocol/bytes.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { bn254Second } from './edges.ts';
import { gasOf, outputOf } from './support.ts';

const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
const point = (scalar: number) => {
  const { x, y } = bn254.G1.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return word(x) + word(y);
};
const second = (scalar: number) => {
  const { x, y } = bn254.G2.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return [x.c1, x.c0, y.c1, y.c0].map(word).join('');
};
const P = bn254.fields.Fp.ORDER;
const ONE = word(1) + word(2);
const MINUS_ONE = word(1) + word(P - 2n);
const INFINITY = word(0) + word(0);
const TWO =
  '030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3' +
  '15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4';
const NINE =
  '039730ea8dff1254c0fee9c0ea777d29a9c710b7e616683f194f18c43b43b869' +
  '073a5ffcc6fc7a28c30723d6e58ce577356982d65b833a5a5c15bf9024b43d98';
const MALFORMED = 'bn256: malformed point';
const TOO_LARGE = 'bn256: coordinate exceeds modulus';

it.each([
  ['doubles a point', ONE + ONE, TWO],
  ['adds a point and its opposite', ONE + MINUS_ONE, INFINITY],
  ['adds infinity', INFINITY + ONE, ONE],
  ['adds infinity to itself', '', INFINITY],
  ['reads zeros after the input', ONE, ONE],
  ['ignores what follows the points', `${ONE}${ONE}ff`, TWO],
  ['fails when a point is not on the curve', word(1) + word(1) + ONE, MALFORMED],
  ['fails when the second point is cut', (ONE + ONE).slice(0, -2), MALFORMED],
  ['fails when x is its value and the modulus', word(1n + P) + word(2) + ONE, TOO_LARGE],
  ['fails when both coordinates are the modulus', ONE + word(P) + word(P), TOO_LARGE],
])('BN254_ADD %s', async (_, input, expected) => {
  expect(await outputOf(6, input)).toBe(expected);
});

it.each([
  ['multiplies by 9', ONE + word(9), NINE],
  ['multiplies by 0', ONE + word(0), INFINITY],
  ['multiplies by the order', ONE + word(bn254.fields.Fr.ORDER), INFINITY],
  ['multiplies by the order and 9', ONE + word(bn254.fields.Fr.ORDER + 9n), NINE],
  ['reads zeros after the input', ONE, INFINITY],
  ['multiplies infinity', INFINITY + word(9), INFINITY],
  ['ignores what follows the scalar', `${ONE}${word(9)}ff`, NINE],
  ['fails when a point is not on the curve', word(1) + word(3) + word(0), MALFORMED],
  ['fails when a coordinate is not below the modulus', word(P) + word(0) + word(0), TOO_LARGE],
])('BN254_MUL %s', async (_, input, expected) => {
  expect(await outputOf(7, input)).toBe(expected);
});

it('BN254_MUL agrees with the library of curves on scalars around powers of two and the order', async () => {
  const scalars = [1n, 2n ** 64n, 2n ** 127n, 2n ** 128n, bn254.fields.Fr.ORDER / 2n, bn254.fields.Fr.ORDER - 1n];
  for (const scalar of scalars.flatMap((one) => [one - 1n, one, one + 1n])) {
    const expected = bn254.G1.Point.fromAffine({ x: 1n, y: 2n }).multiplyUnsafe(scalar % bn254.fields.Fr.ORDER);
    const { x, y } = expected.toAffine();
    expect(await outputOf(7, ONE + word(scalar))).toBe(word(x) + word(y));
  }
});

/** A sample of EIP-197's test suite (geth: `jeff1`). */
const SAMPLE = `
  1c76476f4def4bb94541d57ebba1193381ffa7aa76ada664dd31c16024c43f59
  3034dd2920f673e204fee2811c678745fc819b55d3e9d294e45c9b03a76aef41
  209dd15ebff5d46c4bd888e51a93cf99a7329636c63514396b4a452003a35bf7
  04bf11ca01483bfa8b34b43561848d28905960114c8ac04049af4b6315a41678
  2bb8324af6cfc93537a2ad1a445cfd0ca2a71acd7ac41fadbf933c2a51be344d
  120a2a4cf30c1bf9845f20c6fe39e07ea2cce61f0c9bb048165fe5e4de877550
  111e129f1cf1097710d41c4ac70fcdfa5ba2023c6ff1cbeac322de49d1b6df7c
  2032c61a830e3c17286de9462bf242fca2883585b93870a73853face6a6bf411
  198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2
  1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed
  090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b
  12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa`;

describe('BN254_PAIRING', () => {
  it.each([
    ['is 1 of a sample of its tests', SAMPLE, word(1)],
    ['is 1 of no pairs', '', word(1)],
    ['is 1 of a pairing and its opposite', ONE + second(1) + MINUS_ONE + second(1), word(1)],
    ['is 1 when products of scalars cancel', point(6) + second(1) + MINUS_ONE + second(6), word(1)],
    ['is 0 of one pairing', ONE + second(1), word(0)],
    ['is 1 of infinity in the first group', INFINITY + second(3), word(1)],
    ['is 1 of infinity in the second group', ONE + word(0).repeat(4), word(1)],
    ['fails when a byte is missing', (ONE + second(1)).slice(2), 'bad elliptic curve pairing size'],
    ['fails when a point is not on the curve', word(1) + word(1) + second(1), MALFORMED],
    ['fails when a point is not on the twist', ONE + word(1).repeat(4), MALFORMED],
    ['fails when a point is not in the subgroup', ONE + bytesToHex(bn254Second()).slice(2), MALFORMED],
    [
      'fails when a point beside infinity is not in the subgroup',
      INFINITY + bytesToHex(bn254Second()).slice(2),
      MALFORMED,
    ],
    ['fails when a coordinate is not below the modulus', ONE + word(P) + second(1).slice(64), TOO_LARGE],
  ])('%s', async (_, input, expected) => {
    expect(await outputOf(8, input)).toBe(expected);
  });

  it('costs gas for each pair', async () => {
    expect(await gasOf(8, new Uint8Array())).toBe(45_000n);
    expect(await gasOf(8, new Uint8Array(384))).toBe(113_000n);
  });

  it('runs out of gas on a megabyte before it reads a point', async () => {
    expect(await outputOf(8, bytesToHex(uintBe(0, 192 * 5000).fill(0xff)).slice(2))).toBe('out of gas');
  });
});
