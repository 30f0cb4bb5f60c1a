import { beforeAll, describe, expect, test } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { deposit } from '../support/driver.ts';
import { stateOf } from '../support/memory-state.ts';
import { openBlock } from '../support/open-block.ts';

beforeAll(prepareCrypto);

const address = (value: number): Hex => `0x${value.toString(16).padStart(40, '0')}`;

/** A deposit that calls a precompile with zeros: points at infinity, which are valid and quick. */
async function call(fork: ForkName, precompile: number, bytes: number, data: Hex = `0x${'00'.repeat(bytes)}`) {
  const executor = await openBlock(fork, stateOf({}).reader);
  await executor.run(hexToBytes(deposit({ to: address(precompile), gas: 29_000_000, data })));
  return (await executor.seal()).receipts[0]!;
}

describe('the longest input that a precompile takes', () => {
  test.each<[ForkName, string, number, number, number]>([
    ['granite', 'bn256Pairing', 0x08, 192, 586],
    ['jovian', 'bn256Pairing', 0x08, 192, 427],
    ['karst', 'bn256Pairing', 0x08, 192, 300],
    ['isthmus', 'BLS12-381 G1 MSM', 0x0c, 160, 3211],
    ['jovian', 'BLS12-381 G1 MSM', 0x0c, 160, 1806],
    ['isthmus', 'BLS12-381 G2 MSM', 0x0e, 288, 1696],
    ['jovian', 'BLS12-381 G2 MSM', 0x0e, 288, 968],
    ['isthmus', 'BLS12-381 pairing', 0x0f, 384, 612],
    ['jovian', 'BLS12-381 pairing', 0x0f, 384, 408],
  ])('%s, %s', async (fork, _, precompile, element, most) => {
    expect(await call(fork, precompile, element * most)).toMatchObject({ status: true });
    expect(await call(fork, precompile, element * (most + 1))).toMatchObject({ status: false, gasUsed: 29_000_000n });
  });

  test('a pairing has no longest input before granite', async () => {
    expect(await call('fjord', 0x08, 192 * 587)).toMatchObject({ status: true });
  });
});

test.each<[ForkName, number]>([
  ['ecotone', 21_640],
  ['fjord', 21_640 + 3450],
  ['jovian', 21_640 + 3450],
  ['karst', 21_640 + 6900],
])('P256VERIFY under %s costs its price, or does not exist', async (fork, gasUsed) => {
  expect(await call(fork, 0x100, 160)).toMatchObject({ status: true, gasUsed: BigInt(gasUsed) });
});

test.each<[ForkName, boolean]>([
  ['jovian', true],
  ['karst', false],
])('a modular exponentiation of more than 1024 bytes under %s (EIP-7823)', async (fork, status) => {
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const data: Hex = `0x${word(1025)}${word(1)}${word(1)}${'00'.repeat(1025)}0103`;
  expect(await call(fork, 0x05, 0, data)).toMatchObject({ status });
});
