import { describe, expect, it } from 'vitest';
import { activePrecompiles } from '../../../src/evm/precompiles/active.ts';
import { modularPower } from '../../../src/evm/precompiles/modular-power.ts';
import { concat, toBigInt, u256be, uintBe } from '../../../src/protocol/bytes.ts';
import type { EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import { Random } from '../../nodes/execution/differential/random.ts';
import { GAS, gasOf, LIBRARIES, libraryPrecompiles, outputOf, run } from './support.ts';

const word = (value: number) => value.toString(16).padStart(64, '0');
const PRIME = 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f';
const BEFORE_PRIME = 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e';
const HALF = '8000000000000000000000000000000000000000000000000000000000000000';

/** Base and modulus of a length, and an exponent. */
const sized = (bytes: number, exponent: Uint8Array) =>
  concat(
    ...[bytes, exponent.length, bytes].map((length) => u256be(length)),
    ...[new Uint8Array(bytes).fill(0x55), exponent, new Uint8Array(bytes).fill(0xab)],
  );

it.each([
  ['example 1', word(1) + word(32) + word(32) + '03' + BEFORE_PRIME + PRIME, word(1)],
  ['example 2, without a base', word(0) + word(32) + word(32) + BEFORE_PRIME + PRIME, word(0)],
  [
    'example 4, with more than its bytes',
    `${word(1)}${word(2)}${word(32)}03ffff${HALF}07`,
    '3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaab',
  ],
  [
    'example 5, with less than its bytes',
    `${word(1)}${word(2)}${word(32)}03ffff80`,
    '3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaab',
  ],
  ['a modulus of 0', `${word(1)}${word(1)}${word(3)}0505000000`, '000000'],
  ['a modulus of 1 and an exponent of 0', `${word(1)}${word(1)}${word(1)}050001`, '00'],
  ['0 to the power of 0', `${word(1)}${word(1)}${word(1)}000007`, '01'],
  ['no modulus', `${word(1)}${word(1)}${word(0)}0505`, ''],
  ['no bytes', '', ''],
])('MODEXP computes %s of EIP-198', async (_, input, expected) => {
  expect(await outputOf(5, input)).toBe(expected);
});

/** Bytes of base and modulus, exponent, gas by EIP-2565 and by EIP-7883. */
const PRICES: readonly (readonly [number, Uint8Array, bigint, bigint])[] = [
  [32, toBytes(PRIME), 1360n, 4080n],
  ...(
    [
      [64, [200n, 341n], [500n, 2048n]],
      [128, [200n, 1365n], [512n, 8192n]],
      [256, [341n, 5461n], [2048n, 32_768n]],
      [512, [1365n, 21_845n], [8192n, 131_072n]],
      [1024, [5461n, 87_381n], [32_768n, 524_288n]],
    ] as const
  ).flatMap(([bytes, before, after]) =>
    [Uint8Array.of(2), Uint8Array.of(1, 0, 1)].map(
      (exponent, index) => [bytes, exponent, before[index]!, after[index]!] as const,
    ),
  ),
];

function toBytes(hex: string): Uint8Array {
  return uintBe(BigInt(`0x${hex}`), hex.length / 2);
}

describe.each<[EvmLevel, 2 | 3]>([
  ['prague', 2],
  ['osaka', 3],
])('the gas of MODEXP at %s', (level, column) => {
  it.each(PRICES)('is that of the table of its EIP for %d bytes and exponent %o', async (...row) => {
    expect(await gasOf(5, sized(row[0], row[1]), level)).toBe(row[column]);
  });

  it('counts 8 or 16 iterations for each byte of the exponent after 32', async () => {
    const exponent = new Uint8Array(42).fill(1, 0, 1);
    const words = column === 2 ? 16n : 32n;
    const iterations = 248n + 10n * (column === 2 ? 8n : 16n);
    const expected = column === 2 ? (words * iterations) / 3n : (words / 2n) * iterations;
    expect(await gasOf(5, sized(32, exponent), level)).toBe(expected);
  });
});

it('MODEXP agrees with the library when it takes steps', async () => {
  const data = sized(512, new Uint8Array(50).fill(0xa7));
  const theirs = (await libraryPrecompiles('prague'))(5);
  expect(await run(5, data, 'prague')).toEqual(await theirs(data, GAS));
  const steps = activePrecompiles({ evm: 'prague', precompiles: { inputLimits: {} } }, LIBRARIES).get(
    '0x0000000000000000000000000000000000000005',
  )?.(data, GAS);
  expect(steps).toHaveProperty('next');
});

describe('bad input of MODEXP', () => {
  it.each([
    ['a base', [1025, 1, 1]],
    ['an exponent', [1, 1025, 1]],
    ['a modulus', [1, 1, 1025]],
  ])('fails at osaka, and not before, when %s has more than 1024 bytes', async (_, lengths) => {
    const input = concat(...lengths.map((length) => u256be(length)), new Uint8Array(1027).fill(1));
    expect(await run(5, input, 'osaka')).toEqual({
      failure: 'one or more of base/exponent/modulus length exceeded 1024 bytes',
    });
    expect(await run(5, input, 'prague')).toMatchObject({ gasUsed: expect.any(BigInt) });
  });

  it('runs out of gas when lengths are larger than any input', async () => {
    const most = 'f'.repeat(64);
    for (const level of ['prague', 'osaka'] as const) {
      expect(await outputOf(5, most + word(1) + word(1), level)).toBe('out of gas');
      expect(await outputOf(5, word(1) + most + word(1), level)).toBe('out of gas');
      expect(await outputOf(5, word(1) + word(1) + most, level)).toBe('out of gas');
      expect(await outputOf(5, most + most + most, level)).toBe('out of gas');
    }
  });

  it('costs the least when a long exponent has neither base nor modulus', async () => {
    const input = concat(u256be(0), u256be(2n ** 255n), u256be(0));
    expect(await run(5, input, 'prague')).toEqual({ output: new Uint8Array(), gasUsed: 200n });
  });

  it('takes an exponent of a quarter of a megabyte', async () => {
    const exponent = new Uint8Array(2 ** 18).fill(0xff);
    const input = concat(u256be(1), u256be(exponent.length), u256be(1), Uint8Array.of(2), exponent, Uint8Array.of(7));
    // 2 has the order 3 modulo 7, and the exponent is a multiple of 3.
    expect(await run(5, input, 'prague')).toEqual({ output: Uint8Array.of(1), gasUsed: 699_050n });
    expect(await run(5, input, 'prague', GAS / 2n)).toEqual({ failure: 'out of gas' });
  });
});

it('modularPower agrees with repeated squaring on numbers of up to 40 bytes', () => {
  const random = new Random(5);
  for (let round = 0; round < 300; round++) {
    const [base, exponent, modulus] = [random, random, random].map((one) => one.bytes(one.below(40)));
    if (toBigInt(modulus!) === 0n) continue;
    const [number, power, order] = [toBigInt(base!), toBigInt(exponent!), toBigInt(modulus!)];
    expect(modularPower(number, exponent!, order)).toBe(squared(number, power, order));
  }
});

function squared(base: bigint, power: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (const bit of power.toString(2)) result = (result * result * (bit === '1' ? base : 1n)) % modulus;
  return result;
}
