import fc from 'fast-check';
import { encodeFunctionData, parseAbi, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../src/build/contracts/machine.ts';
import { calldataGas } from '../../src/protocol/execution/data-gas.ts';
import { flzCompressLen } from '../../src/protocol/execution/fastlz.ts';
import { bytesToHex } from '../../src/protocol/hex.ts';
import { abiSystemL1Attributes } from '../../src/protocol/rules/l1-attributes/abi.ts';
import {
  packedL1Attributes,
  packedL1AttributesWithDaFootprint,
  packedL1AttributesWithOperatorFee,
} from '../../src/protocol/rules/l1-attributes/packed.ts';
import type { L1AttributesCodec, L1BlockInfo } from '../../src/protocol/rules/rules.ts';
import { chainInputs, upTo, ZERO_WORD } from '../protocol/genesis/inputs.ts';
import { DEPOSITOR, GAS_PRICE_ORACLE, L1_BLOCK, l2Machine } from './state.ts';

const abi = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  'function getL1GasUsed(bytes) view returns (uint256)',
  'function getL1FeeUpperBound(uint256) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
  'function isEcotone() view returns (bool)',
  'function isFjord() view returns (bool)',
  'function isIsthmus() view returns (bool)',
  'function isJovian() view returns (bool)',
  'function l1BaseFee() view returns (uint256)',
  'function baseFeeScalar() view returns (uint256)',
  'function blobBaseFeeScalar() view returns (uint256)',
  'function blobBaseFee() view returns (uint256)',
  'function decimals() view returns (uint256)',
  'function overhead() view returns (uint256)',
  'function scalar() view returns (uint256)',
]);

const info: L1BlockInfo = {
  number: 7,
  timestamp: 1_700_000_012,
  baseFee: 31_415_926_535n,
  hash: ZERO_WORD,
  sequenceNumber: 0,
  batcherAddr: `0x${'11'.repeat(20)}`,
  l1FeeOverhead: toHex(188, { size: 32 }),
  l1FeeScalar: toHex(684_000, { size: 32 }),
  baseFeeScalar: 1368,
  blobBaseFeeScalar: 810_949,
  blobBaseFee: 271_828_182n,
  operatorFeeScalar: 1_234_567,
  operatorFeeConstant: 999n,
  daFootprintGasScalar: 400,
};

/** Unsigned transactions. 68 bytes stand in for the signature. */
const SIGNATURE = 68;
const price = 16n * info.baseFee * BigInt(info.baseFeeScalar) + info.blobBaseFee * BigInt(info.blobBaseFeeScalar);
const estimate = (fastLzBytes: number) => BigInt(Math.max(100_000_000, -42_585_600 + 836_500 * fastLzBytes));
const fees = {
  bedrock: (data: Uint8Array) =>
    (BigInt(calldataGas(data) + SIGNATURE * 16 + 188) * info.baseFee * 684_000n) / 1_000_000n,
  ecotone: (data: Uint8Array) => (BigInt(calldataGas(data) + SIGNATURE * 16) * price) / 16_000_000n,
  fjord: (data: Uint8Array) => (estimate(flzCompressLen(data) + SIGNATURE) * price) / 1_000_000_000_000n,
};

/** Makes random bytes, long runs and repeated phrases, so that literals and matches of every length occur. */
const payloads = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 700 })).map(([byte, length]) => new Uint8Array(length).fill(byte)),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat({ max: 12 }))
        .map(([phrase, times]) => Buffer.concat(Array(times).fill(phrase))),
    ),
    { maxLength: 8 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

async function oracle(base: Parameters<typeof upTo>[0], codec: L1AttributesCodec): Promise<Machine> {
  const machine = await l2Machine(chainInputs({ schedule: upTo(base) }));
  await machine.call(DEPOSITOR, L1_BLOCK, bytesToHex(codec.encode(info)));
  return machine;
}

async function ask(machine: Machine, functionName: (typeof abi)[number]['name'], ...args: unknown[]): Promise<bigint> {
  return BigInt(
    (await machine.call(DEPOSITOR, GAS_PRICE_ORACLE, encodeFunctionData({ abi, functionName, args } as never))).output,
  );
}

describe('gas price oracle', () => {
  it.each([
    ['regolith', 'bedrock', abiSystemL1Attributes],
    ['ecotone', 'ecotone', packedL1Attributes],
    ['granite', 'fjord', packedL1Attributes],
    ['isthmus', 'fjord', packedL1AttributesWithOperatorFee],
    ['jovian', 'fjord', packedL1AttributesWithDaFootprint],
  ] as const)('at %s charges the L1 fee of %s', async (base, model, codec) => {
    const machine = await oracle(base, codec);
    await fc.assert(
      fc.asyncProperty(payloads, async (data) => {
        expect(await ask(machine, 'getL1Fee', bytesToHex(data))).toBe(fees[model](data));
      }),
      {
        numRuns: 25,
        examples: [
          [new Uint8Array(0)],
          [new Uint8Array(13)],
          [new Uint8Array(14)],
          [new Uint8Array(9000).map((_, at) => at * at)],
        ],
      },
    );
  });

  it.each([
    ['isthmus', packedL1AttributesWithOperatorFee, 100_000n, (100_000n * 1_234_567n) / 1_000_000n + 999n],
    ['jovian', packedL1AttributesWithDaFootprint, 100_000n, 100_000n * 1_234_567n * 100n + 999n],
    ['jovian', packedL1AttributesWithDaFootprint, 2n ** 256n - 1n, 2n ** 256n - 1n],
  ] as const)('at %s charges the operator fee', async (base, codec, gas, fee) => {
    expect(await ask(await oracle(base, codec), 'getOperatorFee', gas)).toBe(fee);
  });

  it('returns the L1 gas that receipts have', async () => {
    const data = new Uint8Array(1000).map((_, at) => at * 7);
    expect(await ask(await oracle('jovian', packedL1AttributesWithDaFootprint), 'getL1GasUsed', bytesToHex(data))).toBe(
      (estimate(flzCompressLen(data) + SIGNATURE) * 16n) / 1_000_000n,
    );
    expect(await ask(await oracle('ecotone', packedL1Attributes), 'getL1GasUsed', bytesToHex(data))).toBe(
      BigInt(calldataGas(data) + SIGNATURE * 16),
    );
  });

  it('bounds the fee of any transaction of a size', async () => {
    const machine = await oracle('jovian', packedL1AttributesWithDaFootprint);
    const size = 5000 + SIGNATURE;
    const bound = await ask(machine, 'getL1FeeUpperBound', 5000n);
    expect(bound).toBe((estimate(size + Math.floor(size / 255) + 16) * price) / 1_000_000_000_000n);
  });

  it.each([
    ['regolith', abiSystemL1Attributes, [0n]],
    ['ecotone', packedL1Attributes, [1n]],
    ['granite', packedL1Attributes, [1n, 1n]],
    ['isthmus', packedL1AttributesWithOperatorFee, [1n, 1n, 1n]],
    ['jovian', packedL1AttributesWithDaFootprint, [1n, 1n, 1n, 1n]],
  ] as const)('at %s returns which forks are active', async (base, codec, expected) => {
    const machine = await oracle(base, codec);
    const flags = ['isEcotone', 'isFjord', 'isIsthmus', 'isJovian'] as const;
    for (const [index, flag] of expected.entries())
      expect([flags[index], await ask(machine, flags[index]!)]).toEqual([flags[index], flag]);
  });

  it('repeats the parameters of L1Block', async () => {
    const machine = await oracle('jovian', packedL1AttributesWithDaFootprint);
    expect(await ask(machine, 'l1BaseFee')).toBe(info.baseFee);
    expect(await ask(machine, 'baseFeeScalar')).toBe(1368n);
    expect(await ask(machine, 'blobBaseFeeScalar')).toBe(810_949n);
    expect(await ask(machine, 'blobBaseFee')).toBe(info.blobBaseFee);
    expect(await ask(machine, 'decimals')).toBe(6n);
    await expect(ask(machine, 'overhead')).rejects.toThrow('revert');
    expect(await ask(await oracle('regolith', abiSystemL1Attributes), 'scalar')).toBe(684_000n);
  });

  it('agrees byte for byte with the published oracle of the forks before it', async () => {
    const published = await oracle('granite', packedL1Attributes);
    const ours = await oracle('jovian', packedL1AttributesWithDaFootprint);
    await fc.assert(
      fc.asyncProperty(payloads, async (data) => {
        for (const name of ['getL1Fee', 'getL1GasUsed'] as const)
          expect(await ask(ours, name, bytesToHex(data))).toBe(await ask(published, name, bytesToHex(data)));
      }),
      { numRuns: 25 },
    );
  });
});
