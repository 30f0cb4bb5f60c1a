import fc from 'fast-check';
import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../src/build/contracts/machine.ts';
import { bytesToHex } from '../../src/protocol/hex.ts';
import { abiSystemL1Attributes } from '../../src/protocol/rules/l1-attributes/abi.ts';
import {
  packedL1Attributes,
  packedL1AttributesWithDaFootprint,
  packedL1AttributesWithOperatorFee,
} from '../../src/protocol/rules/l1-attributes/packed.ts';
import type { L1BlockInfo } from '../../src/protocol/rules/rules.ts';
import type { Hex } from '../../src/protocol/types.ts';
import { chainInputs, upTo } from '../protocol/genesis/inputs.ts';
import { DEPOSITOR, L1_BLOCK, l2Machine } from './state.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }).map(Number);
const u32 = fc.nat({ max: 2 ** 32 - 1 });
const u256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array): Hex => bytesToHex(array));
const infos: fc.Arbitrary<L1BlockInfo> = fc.record({
  number: u64,
  timestamp: u64,
  baseFee: u256,
  hash: bytes(32),
  sequenceNumber: u64,
  batcherAddr: bytes(20),
  l1FeeOverhead: bytes(32),
  l1FeeScalar: bytes(32),
  baseFeeScalar: u32,
  blobBaseFeeScalar: u32,
  blobBaseFee: u256,
  operatorFeeScalar: u32,
  operatorFeeConstant: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  daFootprintGasScalar: fc.nat({ max: 65535 }),
});

/** Slots 0 to 8 as the execution client reads them (specification: L1 Attributes Predeployed Contract). */
function slots(machine: Machine): bigint[] {
  const storage = machine.dump().get(L1_BLOCK)!.storage;
  return Array.from({ length: 9 }, (_, slot) => BigInt(`0x${storage.get(slot.toString(16).padStart(64, '0')) ?? '0'}`));
}

const common = (info: L1BlockInfo) => [
  (BigInt(info.timestamp) << 64n) | BigInt(info.number),
  info.baseFee,
  BigInt(info.hash),
];
const scaled = (info: L1BlockInfo) => [
  ...common(info),
  (BigInt(info.baseFeeScalar) << 96n) | (BigInt(info.blobBaseFeeScalar) << 64n) | BigInt(info.sequenceNumber),
  ...[BigInt(info.batcherAddr), 0n, 0n, info.blobBaseFee],
];
const operatorFee = (info: L1BlockInfo) => (BigInt(info.operatorFeeScalar) << 64n) | info.operatorFeeConstant;

const versions = [
  {
    name: 'bedrock',
    base: 'regolith',
    length: 260,
    codec: abiSystemL1Attributes,
    expected: (info: L1BlockInfo) => [
      ...common(info),
      ...[
        BigInt(info.sequenceNumber),
        BigInt(info.batcherAddr),
        BigInt(info.l1FeeOverhead),
        BigInt(info.l1FeeScalar),
        0n,
        0n,
      ],
    ],
  },
  {
    name: 'ecotone',
    base: 'granite',
    length: 164,
    codec: packedL1Attributes,
    expected: (info: L1BlockInfo) => [...scaled(info), 0n],
  },
  {
    name: 'isthmus',
    base: 'isthmus',
    length: 176,
    codec: packedL1AttributesWithOperatorFee,
    expected: (info: L1BlockInfo) => [...scaled(info), operatorFee(info)],
  },
  {
    name: 'jovian',
    base: 'jovian',
    length: 178,
    codec: packedL1AttributesWithDaFootprint,
    expected: (info: L1BlockInfo) => [...scaled(info), (BigInt(info.daFootprintGasScalar) << 96n) | operatorFee(info)],
  },
] as const;

describe('L1Block', () => {
  for (const { name, base, length, codec, expected } of versions) {
    it(`stores the ${length} bytes of ${name}'s L1 attributes in the layout of the specification`, async () => {
      const genesis = await l2Machine(chainInputs({ schedule: upTo(base) }));
      await fc.assert(
        fc.asyncProperty(infos, async (info) => {
          const calldata = codec.encode(info);
          expect(calldata).toHaveLength(length);
          const machine = await genesis.copy();
          await machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(calldata), BigInt(codec.gas) - 25_000n);
          expect(slots(machine)).toEqual(expected(info));
        }),
        { numRuns: 8 },
      );
    });

    it(`takes ${name}'s L1 attributes of the depositor account alone`, async () => {
      const machine = await l2Machine(chainInputs({ schedule: upTo(base) }));
      const [info] = fc.sample(infos, { numRuns: 1, seed: 1 });
      await expect(machine.call(L1_BLOCK, L1_BLOCK, bytesToHex(codec.encode(info!)))).rejects.toThrow('revert');
    });
  }

  it.each([
    ['granite', packedL1AttributesWithOperatorFee],
    ['isthmus', packedL1AttributesWithDaFootprint],
  ] as const)('at %s has no setter of a later fork', async (base, codec) => {
    const machine = await l2Machine(chainInputs({ schedule: upTo(base) }));
    const [info] = fc.sample(infos, { numRuns: 1, seed: 1 });
    await expect(machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(codec.encode(info!)))).rejects.toThrow('revert');
  });

  it('returns the attributes by its getters', async () => {
    const machine = await l2Machine(chainInputs());
    const [info] = fc.sample(infos, { numRuns: 1, seed: 2 });
    await machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(packedL1AttributesWithDaFootprint.encode(info!)));
    const read = async (name: string) => {
      const abi = parseAbi([`function ${name}() view returns (uint256)`]);
      return BigInt((await machine.call(DEPOSITOR, L1_BLOCK, encodeFunctionData({ abi } as never))).output);
    };
    const names = ['number', 'timestamp', 'sequenceNumber', 'baseFeeScalar', 'blobBaseFeeScalar'] as const;
    for (const name of names) expect([name, await read(name)]).toEqual([name, BigInt(info![name])]);
    for (const name of ['operatorFeeScalar', 'daFootprintGasScalar', 'operatorFeeConstant', 'blobBaseFee'] as const)
      expect([name, await read(name)]).toEqual([name, BigInt(info![name])]);
    expect(await read('basefee')).toBe(info!.baseFee);
    expect(await read('hash')).toBe(BigInt(info!.hash));
    expect(await read('batcherHash')).toBe(BigInt(info!.batcherAddr));
  });
});
