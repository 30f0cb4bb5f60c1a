import { expect, it } from 'vitest';
import { gasOf, outputOf } from './support.ts';

const ABC = '616263';
const word = (hex: string) => hex.padStart(64, '0');

it.each([
  ['SHA256', 2, '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['SHA256', 2, ABC, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['RIPEMD160', 3, '', word('9c1185a5c5e9fc54612808977ee8f548b2258d31')],
  ['RIPEMD160', 3, ABC, word('8eb208f7e05d987a9b044a8e98c6b087f15a0bfc')],
  ['ID', 4, '', ''],
  ['ID', 4, ABC, ABC],
])('%s returns the hash or the bytes of its input', async (_, address, input, expected) => {
  expect(await outputOf(address, input)).toBe(expected);
});

it.each([
  [2, [60n, 72n, 72n, 84n]],
  [3, [600n, 720n, 720n, 840n]],
  [4, [15n, 18n, 18n, 21n]],
])('precompile %d charges each word of its input that has begun', async (address, expected) => {
  const gas = await Promise.all([0, 1, 32, 33].map((size) => gasOf(address, new Uint8Array(size))));
  expect(gas).toEqual(expected);
});
