import { decodeFunctionResult, encodeFunctionData, keccak256, parseAbi, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { upgradeSourceHash } from '../../src/protocol/codec/source-hash.ts';
import { bytesToHex } from '../../src/protocol/hex.ts';
import {
  packedL1AttributesWithDaFootprint,
  packedL1AttributesWithOperatorFee,
} from '../../src/protocol/rules/l1-attributes/packed.ts';
import { NO_L1_BLOCK_INFO } from '../../src/protocol/rules/l1-attributes/reader.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { chainInputs, upTo } from '../protocol/genesis/inputs.ts';
import { bundle, DEPOSITOR, GAS_PRICE_ORACLE, L1_BLOCK, l2Machine, upgrade } from './state.ts';

const flags = parseAbi([
  'function isEcotone() view returns (bool)',
  'function isFjord() view returns (bool)',
  'function isIsthmus() view returns (bool)',
  'function isJovian() view returns (bool)',
]);
const OWNER = parseAbi(['function owner() view returns (address)']);
const PROXY_ADMIN: Hex = '0x4200000000000000000000000000000000000018';
const HISTORY: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935';
const BEACON_ROOTS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
const OPERATOR_FEE_VAULT: Hex = '0x420000000000000000000000000000000000001b';

describe('upgrade bundles', () => {
  it('have the label of the fork before each intent if the fork qualifies its intents', () => {
    for (const { intent } of bundle('karst').transactions) expect(intent).not.toMatch(/karst/i);
  });

  it('carry the official bytecode if npm has it', () => {
    const hashes = [...bundle('ecotone').transactions, ...bundle('fjord').transactions]
      .filter(({ to }) => to === null)
      .map(({ data }) => keccak256(data).slice(0, 10));
    expect(hashes).toEqual(['0xda6828a2', '0xfd456e91', '0x468e991a', '0xb16f1e37']);
    expect([bundle('ecotone'), bundle('fjord')].map(({ metadata }) => metadata.origin)).toEqual([
      'official',
      'official',
    ]);
    for (const fork of ['isthmus', 'jovian', 'karst']) expect(bundle(fork).metadata['origin']).toBe('own');
  });

  it.each([
    ['ecotone', 0, '0x877a6077205782ea15a6dc8699fa5ebcec5e0f4389f09cb8eda09488231346f8'],
    ['isthmus', 0, '0x3b2d0821ca2411ad5cd3595804d1213d15737188ae4cbd58aa19c821a6c211bf'],
    // Released rollup nodes write "L1 Block" and "Gas Price Oracle". The specification writes them in one word and
    // hashes that.
    ['jovian', 0, '0xbb1a656f65401240fac3db12e7a79ebb954b11e62f7626eb11691539b798d3bf'],
    ['jovian', 1, '0xf3275f829340521028f9ad5bce4ecb1c64a45d448794effa2a77674627338e76'],
    ['jovian', 2, '0x239b7021a6c2cf3a918481242bbb5a9499057f24501539467536c691bb133962'],
    ['jovian', 3, '0xa70c60aa53b8c1c0d52b39b1e901e7d7c09f7819595cb24048a6bb1983b401ff'],
    ['jovian', 4, '0xe836db6a959371756f8941be3e962d000f7e12a32e49e2c9ca42ba177a92716c'],
  ] as const)('%s: intent %i hashes to the source that rollup nodes derive', (fork, index, source) => {
    const hash = upgradeSourceHash(bundle(fork).transactions[index]!.intent);
    expect(typeof hash === 'string' ? hash : bytesToHex(hash)).toBe(source);
  });

  it.each([
    ['ecotone', [375_000, 1_000_000, 50_000, 50_000, 80_000, 250_000]],
    ['fjord', [1_450_000, 50_000, 90_000]],
    ['isthmus', [425_000, 1_625_000, 500_000, 50_000, 50_000, 50_000, 90_000, 250_000]],
    ['jovian', [447_315, 50_000, 1_750_714, 50_000, 90_000]],
  ] as const)('%s brings the gas of the specification', (fork, gas) => {
    expect(bundle(fork).transactions.map(({ gasLimit }) => gasLimit)).toEqual(gas);
  });

  it('lead a chain from delta to karst, fork by fork', async () => {
    const inputs = chainInputs({ schedule: upTo('delta') });
    const machine = await l2Machine(inputs);
    const ask = async (functionName: (typeof flags)[number]['name']) =>
      BigInt(
        (await machine.call(DEPOSITOR, GAS_PRICE_ORACLE, encodeFunctionData({ abi: flags, functionName }))).output,
      );
    await upgrade(machine, 'ecotone');
    expect(await ask('isEcotone')).toBe(1n);
    expect(machine.dump().get(BEACON_ROOTS)?.code).toMatch(/^0x3373ff/);
    await upgrade(machine, 'fjord');
    expect(await ask('isFjord')).toBe(1n);

    const attributes = {
      ...NO_L1_BLOCK_INFO,
      number: 5,
      operatorFeeScalar: 3,
      operatorFeeConstant: 4n,
      daFootprintGasScalar: 500,
    };
    await expect(
      machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(packedL1AttributesWithOperatorFee.encode(attributes))),
    ).rejects.toThrow('revert');
    await upgrade(machine, 'isthmus');
    expect(await ask('isIsthmus')).toBe(1n);
    await machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(packedL1AttributesWithOperatorFee.encode(attributes)));
    expect(keccak256(machine.dump().get(HISTORY)!.code)).toBe(
      '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d',
    );
    const recipient = await machine.call(
      DEPOSITOR,
      OPERATOR_FEE_VAULT,
      encodeFunctionData({ abi: parseAbi(['function RECIPIENT() view returns (address)']) }),
    );
    expect(BigInt(recipient.output)).toBe(BigInt('0x4200000000000000000000000000000000000019'));

    await expect(
      machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(packedL1AttributesWithDaFootprint.encode(attributes))),
    ).rejects.toThrow('revert');
    await upgrade(machine, 'jovian');
    expect(await ask('isJovian')).toBe(1n);
    await machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(packedL1AttributesWithDaFootprint.encode(attributes)));
    expect(machine.dump().get(L1_BLOCK)!.storage.get('8'.padStart(64, '0'))).toBe(
      toHex((500n << 96n) | (3n << 64n) | 4n, { size: 32 }).slice(2),
    );

    const text = async (to: Hex) => {
      const abi = parseAbi(['function version() view returns (string)']);
      const { output } = await machine.call(DEPOSITOR, to, encodeFunctionData({ abi }));
      return decodeFunctionResult({ abi, data: output });
    };
    const before = await Promise.all([text(L1_BLOCK), text(GAS_PRICE_ORACLE)]);
    await upgrade(machine, 'karst');
    const after = await Promise.all([text(L1_BLOCK), text(GAS_PRICE_ORACLE)]);
    expect([before, after]).toEqual([
      ['1.7.0-devnet', '1.6.0-devnet'],
      ['1.8.0-devnet', '1.7.0-devnet'],
    ]);
    expect(await ask('isJovian')).toBe(1n);
    await machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(packedL1AttributesWithDaFootprint.encode(attributes)));
    // The upgraded proxy admin still is the published one, and takes upgrades from the depositor account alone.
    const owner = await machine.call(DEPOSITOR, PROXY_ADMIN, encodeFunctionData({ abi: OWNER }));
    expect(BigInt(owner.output)).toBe(BigInt(inputs.roles.owner));
    const again = bundle('karst').transactions.at(-1)!;
    await expect(machine.call(OPERATOR_FEE_VAULT, again.to, again.data)).rejects.toThrow('revert');
    // A contract that stands already is not deployed again.
    const deploys = bundle('karst').transactions.find(({ intent }) => intent.includes('L1Block'))!;
    await machine.call(DEPOSITOR, deploys.to, deploys.data);
  });
});
