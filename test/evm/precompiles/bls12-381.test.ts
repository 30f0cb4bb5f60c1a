import { bls12_381 } from '@noble/curves/bls12-381.js';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { blsFirst, blsSecond } from './edges.ts';
import { gasOf, outputOf } from './support.ts';

const field = (value: bigint | number | string) =>
  (typeof value === 'string' ? value : value.toString(16)).padStart(128, '0');
const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
const first = (scalar: number) => {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return field(x) + field(y);
};
const second = (scalar: number) => {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return [x.c0, x.c1, y.c0, y.c1].map(field).join('');
};
const opposite = (scalar: number) => {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(BigInt(scalar)).negate().toAffine();
  return field(x) + field(y);
};
const hex = (bytes: Uint8Array) => bytesToHex(bytes).slice(2);
const P = bls12_381.fields.Fp.ORDER;
const R = bls12_381.fields.Fr.ORDER;
const FIRST_INFINITY = field(0).repeat(2);
const SECOND_INFINITY = field(0).repeat(4);
/** Twice the generator of the first group, from the tests of EIP-2537. */
const TWO =
  field('0572cbea904d67468808c8eb50a9450c9721db309128012543902d0ac358a62ae28f75bb8f1c7c42c39a8c5529bf0f4e') +
  field('166a9d8cabc673a322fda673779d8e3822ba3ecb8670e461f73bb9021d5fd76a4c56d9d4cd16bd1bba86881979749d28');
const LENGTH = 'invalid input length';
const TOP = 'invalid field element top bytes';
const ENCODING = 'invalid fp.Element encoding';
const OUTSIDE = 'invalid point: not on curve';

/** What a precompile does, an input, and its output or failure. */
type Row = readonly [string, string, string];

/** Faults of an encoded field element at the begin of an input. */
const faults = (input: string): readonly Row[] => [
  ['fails when the bytes above a field element are not zero', `01${input.slice(2)}`, TOP],
  ['fails when the last byte above a field element is not zero', `${input.slice(0, 30)}01${input.slice(32)}`, TOP],
  ['fails when a field element is the modulus', field(P) + input.slice(128), ENCODING],
  ['fails when a byte is missing', input.slice(2), LENGTH],
  ['fails when there is a byte more', `${input}00`, LENGTH],
  ['fails when the input is empty', '', LENGTH],
];

describe('BLS12_G1ADD', () => {
  it.each<Row>([
    ['doubles a point', first(1) + first(1), TWO],
    ['adds points', first(2) + first(3), first(5)],
    ['adds a point and its opposite', first(4) + opposite(4), FIRST_INFINITY],
    ['adds infinity', first(7) + FIRST_INFINITY, first(7)],
    ['adds points outside the subgroup', hex(blsFirst()) + FIRST_INFINITY, hex(blsFirst())],
    ['fails when a point is not on the curve', field(1) + field(1) + first(1), OUTSIDE],
    ...faults(first(1) + first(2)),
  ])('%s', async (_, input, expected) => {
    expect(await outputOf(0x0b, input)).toBe(expected);
  });
});

describe('BLS12_G2ADD', () => {
  it.each<Row>([
    ['adds points', second(2) + second(3), second(5)],
    ['doubles a point', second(3) + second(3), second(6)],
    ['adds infinity', SECOND_INFINITY + second(7), second(7)],
    ['adds points outside the subgroup', hex(blsSecond()) + SECOND_INFINITY, hex(blsSecond())],
    ['fails when a point is not on the curve', field(1).repeat(4) + second(1), OUTSIDE],
    ...faults(second(1) + second(2)),
  ])('%s', async (_, input, expected) => {
    expect(await outputOf(0x0d, input)).toBe(expected);
  });
});

describe('BLS12_G1MSM', () => {
  it.each<Row>([
    ['multiplies a point', first(2) + word(3), first(6)],
    ['multiplies and adds', first(2) + word(3) + first(5) + word(R + 4n) + opposite(1) + word(1), first(25)],
    ['multiplies by 0', first(2) + word(0), FIRST_INFINITY],
    ['multiplies by the order', first(2) + word(R), FIRST_INFINITY],
    ['multiplies infinity', FIRST_INFINITY + word(9), FIRST_INFINITY],
    [
      'adds 40 points',
      Array.from({ length: 40 }, (_, index) => first(1 + index) + word(index)).join(''),
      first(Array.from({ length: 40 }, (_, index) => index * (1 + index)).reduce((sum, one) => sum + one)),
    ],
    ['fails when a point is not on the curve', field(1) + field(1) + word(1), OUTSIDE],
    [
      'fails when a point times 0 is not in the subgroup',
      hex(blsFirst()) + word(0),
      'g1 point is not on correct subgroup',
    ],
    ...faults(first(1) + word(2)),
  ])('%s', async (_, input, expected) => {
    expect(await outputOf(0x0c, input)).toBe(expected);
  });
});

describe('BLS12_G2MSM', () => {
  it.each<Row>([
    ['multiplies a point', second(2) + word(3), second(6)],
    ['multiplies and adds', second(2) + word(3) + second(5) + word(R + 4n), second(26)],
    ['multiplies by 0', second(2) + word(0), SECOND_INFINITY],
    ['fails when a point is not on the curve', field(1).repeat(4) + word(1), OUTSIDE],
    ['fails when a point is not in the subgroup', hex(blsSecond()) + word(1), 'g2 point is not on correct subgroup'],
    ...faults(second(1) + word(2)),
  ])('%s', async (_, input, expected) => {
    expect(await outputOf(0x0e, input)).toBe(expected);
  });
});

describe('BLS12_PAIRING_CHECK', () => {
  it.each<Row>([
    ['is 1 of a pairing and its opposite', first(1) + second(1) + opposite(1) + second(1), word(1)],
    ['is 1 when products of scalars cancel', first(6) + second(1) + opposite(2) + second(3), word(1)],
    ['is 0 of one pairing', first(1) + second(1), word(0)],
    ['is 1 of infinity in the first group', FIRST_INFINITY + second(3), word(1)],
    ['is 1 of infinity in the second group', first(3) + SECOND_INFINITY, word(1)],
    [
      'fails when the point beside infinity is not in the subgroup',
      FIRST_INFINITY + hex(blsSecond()),
      'g2 point is not on correct subgroup',
    ],
    ['fails when a point is not in the subgroup', hex(blsFirst()) + second(1), 'g1 point is not on correct subgroup'],
    ...faults(first(1) + second(1)),
  ])('%s', async (_, input, expected) => {
    expect(await outputOf(0x0f, input)).toBe(expected);
  });
});

/** The first vectors of the suites BLS12381G1_XMD:SHA-256_SSWU_NU_ and BLS12381G2 (RFC 9380, J.9 and J.10). */
const G1_ELEMENT = field(
  '156c8a6a2c184569d69a76be144b5cdc5141d2d2ca4fe341f011e25e3969c55ad9e9b9ce2eb833c81a908e5fa4ac5f03',
);
const G1_MAPPED =
  field('184bb665c37ff561a89ec2122dd343f20e0f4cbcaec84e3c3052ea81d1834e192c426074b02ed3dca4e7676ce4ce48ba') +
  field('04407b8d35af4dacc809927071fc0405218f1401a6d15af775810e4e460064bcc9468beeba82fdc751be70476c888bf3');
const G2_ELEMENT =
  field('07355d25caf6e7f2f0cb2812ca0e513bd026ed09dda65b177500fa31714e09ea0ded3a078b526bed3307f804d4b93b04') +
  field('02829ce3c021339ccb5caf3e187f6370e1e2a311dec9b75363117063ab2015603ff52c3d3b98f19c2f65575e99e8b78c');
const G2_MAPPED =
  field('00e7f4568a82b4b7dc1f14c6aaa055edf51502319c723c4dc2688c7fe5944c213f510328082396515734b6612c4e7bb7') +
  field('126b855e9e69b1f691f816e48ac6977664d24d99f8724868a184186469ddfd4617367e94527d4b74fc86413483afb35b') +
  field('0caead0fd7b6176c01436833c79d305c78be307da5f6af6c133c47311def6ff1e0babf57a0fb5539fce7ee12407b0a42') +
  field('1498aadcf7ae2b345243e281ae076df6de84455d766ab6fcdaad71fab60abb2e8b980a440043cd305db09d283c895e3d');

it.each<Row>([['maps an element as RFC 9380', G1_ELEMENT, G1_MAPPED], ...faults(G1_ELEMENT)])(
  'BLS12_MAP_FP_TO_G1 %s',
  async (_, input, expected) => {
    expect(await outputOf(0x10, input)).toBe(expected);
  },
);

it.each<Row>([['maps an element as RFC 9380', G2_ELEMENT, G2_MAPPED], ...faults(G2_ELEMENT)])(
  'BLS12_MAP_FP2_TO_G2 %s',
  async (_, input, expected) => {
    expect(await outputOf(0x11, input)).toBe(expected);
  },
);

/** An input of infinities for a number of points or pairs. */
const infinities = (bytes: number, count: number) => new Uint8Array(bytes * count);

it.each([
  ['BLS12_G1MSM', 0x0c, 160, [12_000n, 22_776n, 797_184n, 803_412n]],
  ['BLS12_G2MSM', 0x0e, 288, [22_500n, 45_000n, 1_509_120n, 1_520_910n]],
  ['BLS12_PAIRING_CHECK', 0x0f, 384, [70_300n, 102_900n, 4_210_500n, 4_243_100n]],
])('%s costs gas by the number of its points, with the discount of EIP-2537', async (_, address, bytes, expected) => {
  const counts = [1, 2, 128, 129];
  expect(await Promise.all(counts.map((count) => gasOf(address, infinities(bytes, count))))).toEqual(expected);
});

it.each([
  [0x0b, 375n, 256],
  [0x0d, 600n, 512],
  [0x10, 5500n, 64],
  [0x11, 23_800n, 128],
])('precompile %d has one price', async (address, price, bytes) => {
  expect(await gasOf(address, new Uint8Array(bytes))).toBe(price);
});
