import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { activePrecompiles } from '../../../src/evm/precompiles/active.ts';
import { concat } from '../../../src/protocol/bytes.ts';
import { type ForkName, rulesAt } from '../../../src/protocol/forks/index.ts';
import { EVM_LEVELS, type EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import { upTo } from '../../nodes/execution/support/genesis.ts';
import { GAS, LIBRARIES, ours } from './support.ts';

const NONE = { inputLimits: {} };
const EARLY = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const BLS = [11, 12, 13, 14, 15, 16, 17];

const addressesOf = (evm: EvmLevel, precompiles: Parameters<typeof ours>[2] = NONE) =>
  [...activePrecompiles({ evm, precompiles }, LIBRARIES).keys()].map(Number);

const rulesOf = (fork: ForkName) => rulesAt(upTo(fork), 0);

describe('the precompiles', () => {
  it.each<[EvmLevel, number[]]>([
    ['paris', EARLY],
    ['shanghai', EARLY],
    ['cancun', [...EARLY, 10]],
    ['prague', [...EARLY, 10, ...BLS]],
    ['osaka', [...EARLY, 10, ...BLS, 256]],
  ])('stand at the addresses of %s', (level, expected) => {
    expect(addressesOf(level)).toEqual(expected);
  });

  it('have P256VERIFY at each level when the rules give its price', () => {
    for (const level of EVM_LEVELS) expect(addressesOf(level, { ...NONE, p256VerifyGas: 3450 }).at(-1)).toBe(256);
  });

  it.each<[ForkName, bigint]>([
    ['fjord', 3450n],
    ['jovian', 3450n],
    ['karst', 6900n],
  ])('charge the price of P256VERIFY under %s', async (fork, price) => {
    const { evm, precompiles } = rulesOf(fork);
    const verify = ours(0x100, evm, precompiles);
    expect(await verify?.(new Uint8Array(), price)).toEqual({ output: new Uint8Array(), gasUsed: price });
    expect(await verify?.(new Uint8Array(), price - 1n)).toEqual({ failure: 'out of gas' });
  });

  it.each<[ForkName, number, number, string]>([
    ['granite', 0x08, 112_687, 'bad elliptic curve pairing input size'],
    ['jovian', 0x08, 81_984, 'bad elliptic curve pairing input size'],
    ['karst', 0x08, 57_600, 'bad elliptic curve pairing input size'],
    ['isthmus', 0x0c, 513_760, 'g1 msm input size exceeds maximum'],
    ['jovian', 0x0c, 288_960, 'g1 msm input size exceeds maximum'],
    ['isthmus', 0x0e, 488_448, 'g2 msm input size exceeds maximum'],
    ['jovian', 0x0e, 278_784, 'g2 msm input size exceeds maximum'],
    ['isthmus', 0x0f, 235_008, 'pairing input size exceeds maximum'],
    ['jovian', 0x0f, 156_672, 'pairing input size exceeds maximum'],
  ])('fail under %s when the input of %d is longer than %d bytes', async (fork, address, most, failure) => {
    const { evm, precompiles } = rulesOf(fork);
    const precompile = ours(address, evm, precompiles);
    const gas = 10n ** 9n;
    expect(await precompile?.(new Uint8Array(most + 1), gas)).toEqual({ failure });
    expect(await precompile?.(new Uint8Array(most + 1), 40_000n)).toEqual({ failure: 'out of gas' });
    // A byte that is no coordinate fails the longest input for another reason.
    expect(await precompile?.(new Uint8Array(most).fill(0xff), gas)).not.toEqual({ failure });
  });

  it('throw what is no failure of a precompile', async () => {
    const libraries = {
      ...LIBRARIES,
      pointVerifier: async () => {
        throw new Error('the setup is missing');
      },
    };
    const hash = '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b';
    const commitment =
      '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7';
    const input = Buffer.from(hash + '00'.repeat(64) + commitment + '00'.repeat(48), 'hex');
    const evaluation = activePrecompiles({ evm: 'cancun', precompiles: NONE }, libraries).get(
      '0x000000000000000000000000000000000000000a',
    );
    await expect(evaluation?.(input, GAS)).rejects.toThrow('the setup is missing');
  });

  it('run without a promise when their modules and the setup of the point evaluation are loaded', async () => {
    const libraries = { ...LIBRARIES, pointVerifier: () => () => true };
    const commitment = new Uint8Array(48);
    const hash = createHash('sha256').update(commitment).digest();
    const input = concat(hash.fill(1, 0, 1), new Uint8Array(64), commitment, new Uint8Array(48));
    const active = activePrecompiles({ evm: 'osaka', precompiles: NONE }, libraries);
    for (const precompile of active.values()) {
      await precompile(input, GAS);
      expect(precompile(input, GAS)).not.toBeInstanceOf(Promise);
    }
  });
});
