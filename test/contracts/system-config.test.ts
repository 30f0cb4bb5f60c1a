import { encodeFunctionData, type Hex, parseAbi, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../src/build/contracts/machine.ts';
import { batchInboxAddress, l1Addresses } from '../../src/protocol/genesis/index.ts';
import { chainInputs, contracts } from '../protocol/genesis/inputs.ts';
import { l1Machine } from './state.ts';

const CONFIG_UPDATE = '0x1d2b0bda21d56b8bd12d4f94ebacffdfb35f5e226f84b461103bb8beab6353be';
const abi = parseAbi([
  'function setBatcherHash(bytes32)',
  'function setGasConfig(uint256,uint256)',
  'function setGasConfigEcotone(uint32,uint32)',
  'function setGasLimit(uint64)',
  'function setUnsafeBlockSigner(address)',
  'function setEIP1559Params(uint32,uint32)',
  'function setOperatorFeeScalars(uint32,uint64)',
  'function setMinBaseFee(uint64)',
  'function setDAFootprintGasScalar(uint16)',
  'function transferOwnership(address)',
]);
const getters = parseAbi([
  'function owner() view returns (uint256)',
  'function unsafeBlockSigner() view returns (uint256)',
  'function batcherHash() view returns (uint256)',
  'function gasLimit() view returns (uint256)',
  'function scalar() view returns (uint256)',
  'function overhead() view returns (uint256)',
  'function basefeeScalar() view returns (uint256)',
  'function blobbasefeeScalar() view returns (uint256)',
  'function l1CrossDomainMessenger() view returns (uint256)',
  'function optimismPortal() view returns (uint256)',
  'function batchInbox() view returns (uint256)',
  'function l2ChainId() view returns (uint256)',
  'function startBlock() view returns (uint256)',
  'function paused() view returns (uint256)',
  'function minBaseFee() view returns (uint256)',
  'function eip1559Elasticity() view returns (uint256)',
  'function eip1559Denominator() view returns (uint256)',
  'function operatorFeeScalar() view returns (uint256)',
  'function operatorFeeConstant() view returns (uint256)',
  'function daFootprintGasScalar() view returns (uint256)',
]);

const inputs = chainInputs({
  systemConfig: {
    eip1559Params: '0x0000006400000005',
    operatorFeeParams: `0x${'0'.repeat(40)}0000000700000000000000ff`,
    minBaseFee: 12,
    daFootprintGasScalar: 300,
  },
});
const addresses = l1Addresses(inputs.chainId, contracts);
const config = addresses.SystemConfig!;
const { owner } = inputs.roles;
const word = (value: bigint | number | Hex) => toHex(BigInt(value), { size: 32 }).slice(2);
const machine = (): Promise<Machine> => l1Machine(inputs);

describe('system config', () => {
  it.each([
    ['batcher', 0, 'setBatcherHash', [toHex(0xbeefn, { size: 32 })], word(0xbeef)],
    ['fee scalars before ecotone', 1, 'setGasConfig', [188n, 684000n], word(188) + word(684000)],
    [
      'fee scalars from ecotone on',
      1,
      'setGasConfigEcotone',
      [1368, 810949],
      word(0) + inputs.systemConfig.scalar.slice(2),
    ],
    ['gas limit', 2, 'setGasLimit', [60_000_000n], word(60_000_000)],
    ['unsafe block signer', 3, 'setUnsafeBlockSigner', [`0x${'ab'.repeat(20)}`], word(`0x${'ab'.repeat(20)}`)],
    ['EIP-1559 parameters', 4, 'setEIP1559Params', [250, 6], word((250n << 32n) | 6n)],
    ['operator fee', 5, 'setOperatorFeeScalars', [7, 9n], word((7n << 64n) | 9n)],
    ['minimum base fee', 6, 'setMinBaseFee', [1_000_000n], word(1_000_000)],
    ['DA footprint gas scalar', 7, 'setDAFootprintGasScalar', [400], word(400)],
  ] as const)('emits a new %s as update type %i', async (_, type, functionName, args, payload) => {
    const evm = await machine();
    const { logs } = await evm.call(owner as Hex, config, encodeFunctionData({ abi, functionName, args } as never));
    const length = word(payload.length / 2);
    expect(logs).toEqual([
      {
        address: config,
        topics: [CONFIG_UPDATE, `0x${word(0)}`, `0x${word(type)}`],
        data: `0x${word(32)}${length}${payload}`,
      },
    ]);
  });

  it.each(abi.map(({ name, inputs }) => [name, inputs.length] as const))(
    '%s can be called by the owner alone',
    async (functionName, count) => {
      const zero =
        functionName === 'setUnsafeBlockSigner' || functionName === 'transferOwnership' ? `0x${'11'.repeat(20)}` : 1;
      const args = Array.from({ length: count }, () =>
        functionName === 'setBatcherHash' ? toHex(1, { size: 32 }) : zero,
      );
      const evm = await machine();
      const data = encodeFunctionData({ abi, functionName, args } as never);
      await expect(evm.call(`0x${'11'.repeat(20)}`, config, data)).rejects.toThrow('revert');
    },
  );

  it('returns the genesis values by its getters', async () => {
    const evm = await machine();
    const read = async (functionName: (typeof getters)[number]['name']) =>
      BigInt((await evm.call(owner, config, encodeFunctionData({ abi: getters, functionName }))).output);
    const expected: Record<(typeof getters)[number]['name'], bigint> = {
      owner: BigInt(owner),
      unsafeBlockSigner: BigInt(inputs.roles.unsafeBlockSigner),
      batcherHash: BigInt(inputs.systemConfig.batcherAddr),
      gasLimit: 30_000_000n,
      scalar: BigInt(inputs.systemConfig.scalar),
      overhead: 0n,
      basefeeScalar: 1368n,
      blobbasefeeScalar: 810949n,
      l1CrossDomainMessenger: BigInt(addresses.L1CrossDomainMessenger!),
      optimismPortal: BigInt(addresses.OptimismPortal!),
      batchInbox: BigInt(batchInboxAddress(901)),
      l2ChainId: 901n,
      startBlock: 0n,
      paused: 0n,
      minBaseFee: 12n,
      eip1559Elasticity: 5n,
      eip1559Denominator: 100n,
      operatorFeeScalar: 7n,
      operatorFeeConstant: 255n,
      daFootprintGasScalar: 300n,
    };
    for (const [name, value] of Object.entries(expected))
      expect([name, await read(name as never)]).toEqual([name, value]);
  });

  it('stores the unsafe block signer in the slot that rollup nodes read', async () => {
    const slot = '65a7ed542fb37fe237fdfbdd70b31598523fe5b32879e307bae27a0bd9581c08';
    const evm = await machine();
    expect(evm.dump().get(config)!.storage.get(slot)).toBe(word(inputs.roles.unsafeBlockSigner));
    await evm.call(
      owner,
      config,
      encodeFunctionData({ abi, functionName: 'setUnsafeBlockSigner', args: [`0x${'cd'.repeat(20)}`] }),
    );
    expect(evm.dump().get(config)!.storage.get(slot)).toBe(word(`0x${'cd'.repeat(20)}`));
  });

  it.each([
    ['gas limit below what deposits may buy', 'setGasLimit', [20_000_000n]],
    ['gas limit above the maximum', 'setGasLimit', [500_000_001n]],
    ['zero elasticity', 'setEIP1559Params', [1, 0]],
    ['zero denominator', 'setEIP1559Params', [0, 1]],
    ['scalar with a version byte', 'setGasConfig', [0n, 1n << 248n]],
  ] as const)('refuses a %s', async (_, functionName, args) => {
    const evm = await machine();
    await expect(evm.call(owner, config, encodeFunctionData({ abi, functionName, args } as never))).rejects.toThrow(
      'revert',
    );
  });
});
