import { expect, it } from 'vitest';
import { outputOf } from './support.ts';

const HASH = '18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c';
const R = '73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f';
const S = 'eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const SIGNER = '000000000000000000000000a94f5374fce5edbc8e2a8697c15331677e6ebf0b';
const word = (value: number) => value.toString(16).padStart(64, '0');

it.each([
  ['returns the signer of a hash', HASH + word(28) + R + S, SIGNER],
  ['ignores what follows the signature', `${HASH}${word(28)}${R}${S}ff`, SIGNER],
  ['returns nothing when v is 0', HASH + word(0) + R + S, ''],
  ['returns nothing when v is 1', HASH + word(1) + R + S, ''],
  ['returns nothing when v is 29', HASH + word(29) + R + S, ''],
  ['returns nothing when v has bits above its last byte', `${HASH}01${word(28).slice(2)}${R}${S}`, ''],
  ['returns nothing when r is 0', HASH + word(28) + word(0) + S, ''],
  ['returns nothing when s is the order of the curve', HASH + word(28) + R + ORDER, ''],
  ['returns nothing when the input is empty', '', ''],
])('ECREC %s', async (_, input, expected) => {
  expect(await outputOf(1, input)).toBe(expected);
});
