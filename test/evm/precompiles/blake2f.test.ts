import { expect, it } from 'vitest';
import { activePrecompiles } from '../../../src/evm/precompiles/active.ts';
import { GAS, LIBRARIES, libraryPrecompiles, outputOf, run } from './support.ts';

const STATE =
  '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
  'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b';
const MESSAGE = '616263'.padEnd(256, '0');
const OFFSET = '03'.padEnd(32, '0');
const input = (rounds: string, flag: string) => rounds + STATE + MESSAGE + OFFSET + flag;

it.each([
  [
    'vector 4: no rounds',
    input('00000000', '01'),
    '08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
      'd282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b',
  ],
  [
    'vector 5: 12 rounds, as BLAKE2b has them',
    input('0000000c', '01'),
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1' +
      '7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  ],
  [
    'vector 6: a block before the last',
    input('0000000c', '00'),
    '75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d28752' +
      '98743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735',
  ],
  [
    'vector 7: one round',
    input('00000001', '01'),
    'b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fb' +
      'a551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421',
  ],
  ['vector 0: no input', '', 'invalid input length'],
  ['vector 1: a byte less', input('0000000c', ''), 'invalid input length'],
  ['vector 2: a byte more', input('0000000c', '0100'), 'invalid input length'],
  ['vector 3: a wrong flag', input('0000000c', '02'), 'invalid final flag'],
  ['vector 8: more rounds than gas', input('ffffffff', '01'), 'out of gas'],
])('BLAKE2F returns %s of EIP-152', async (_, data, expected) => {
  expect(await outputOf(9, data)).toBe(expected);
});

it('BLAKE2F agrees with the library when it takes steps', async () => {
  const data = Uint8Array.from(Buffer.from(input('00010001', '01'), 'hex'));
  const theirs = (await libraryPrecompiles('osaka'))(9);
  expect(await run(9, data)).toEqual(await theirs(data, GAS));
});

it('BLAKE2F of the most rounds can be left after each step', () => {
  const data = Uint8Array.from(Buffer.from(input('ffffffff', '01'), 'hex'));
  const blake2f = activePrecompiles({ evm: 'osaka', precompiles: { inputLimits: {} } }, LIBRARIES);
  const result = blake2f.get('0x0000000000000000000000000000000000000009')?.(data, 2n ** 32n);
  const steps = result !== undefined && 'next' in result ? result : undefined;
  expect([steps?.next().done, steps?.next().done]).toEqual([false, false]);
});

it('BLAKE2F costs one gas a round', async () => {
  const data = Uint8Array.from(Buffer.from(input('0000000c', '01'), 'hex'));
  expect(await run(9, data, 'osaka', 12n)).toMatchObject({ gasUsed: 12n });
  expect(await run(9, data, 'osaka', 11n)).toEqual({ failure: 'out of gas' });
});

it('BLAKE2F fails in the same way when an input of the wrong length has no gas', async () => {
  expect(await run(9, new Uint8Array(1_000_000), 'osaka', 0n)).toEqual({ failure: 'invalid input length' });
});
