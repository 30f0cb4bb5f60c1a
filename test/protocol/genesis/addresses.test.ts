import { keccak256, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { addressSlots, batchInboxAddress, l1Addresses } from '../../../src/protocol/genesis/addresses.ts';
import { l1Preinstalls, l2Preinstalls } from '../../../src/protocol/genesis/preinstalls.ts';
import { chainInputs, upTo } from './inputs.ts';
import { SHARED, small } from './small-contracts.ts';

const addressOf = (chainId: number, slot: string) =>
  `0x${keccak256(stringToHex(`rollup-devnet ${chainId} ${slot}`)).slice(26)}`;

describe('addresses of a chain on L1', () => {
  const perChain = {
    SystemConfig: addressOf(901, 'l1.SystemConfig'),
    OptimismPortal: addressOf(901, 'l1.OptimismPortal'),
    ProtocolVersions: addressOf(901, 'l1.ProtocolVersions'),
  };

  it('are hashes of chain id and name, of the contracts of its system of withdrawals', () => {
    expect(l1Addresses(901, small)).toStrictEqual(perChain);
    expect(l1Addresses(901, small, 'output-oracle')).toStrictEqual(perChain);
    expect(l1Addresses(901, small, 'dispute-games')).toStrictEqual({
      ...perChain,
      DisputeGameFactory: addressOf(901, 'l1.DisputeGameFactory'),
    });
  });

  it('are slots of all contracts and of implementations, whatever the system', () => {
    const names = ['l1.SystemConfig', 'l1.OptimismPortal', 'l1.ProtocolVersions', 'l1.DisputeGameFactory'];
    const slots = [...names, 'implementation.Portal'];
    const more = { ...small, slots: { ...small.slots, 'my.l1.Name': 20, l1Name: 20 } };
    expect(addressSlots(902, more)).toStrictEqual(
      Object.fromEntries(slots.map((slot) => [slot, addressOf(902, slot).slice(2)])),
    );
  });

  it('have a batch inbox of its own, which begins with a zero byte', () => {
    expect(batchInboxAddress(901)).toBe(`0x00${addressOf(901, 'batch inbox').slice(4)}`);
  });
});

describe('contracts at their usual addresses', () => {
  it('on L1 are the shared ones but for implementations', () => {
    expect(l1Preinstalls(small)).toStrictEqual({ Permit2: `0x${SHARED}` });
  });

  it('on L2 are those of the active layers but for predeploys', () => {
    expect(l2Preinstalls(chainInputs({ schedule: upTo('delta') }), small)).toStrictEqual({});
    expect(l2Preinstalls(chainInputs({ schedule: upTo('jovian') }), small)).toStrictEqual({
      multiCall3: `0x${'22'.repeat(20)}`,
    });
  });

  it('are none at an address of the chain or of code of a predeploy', () => {
    const accounts = [
      { name: 'SystemConfig', address: [{ slot: 'l1.SystemConfig' }] },
      { name: 'Code', address: 'c0d3'.repeat(10) },
      { name: 'Near', address: `c0d4${'0'.repeat(36)}` },
      { name: 'Behind', address: `00c0d3${'0'.repeat(34)}` },
    ];
    const contracts = { ...small, l1: { ...small.l1, shared: accounts } };
    expect(l1Preinstalls(contracts)).toStrictEqual({
      Near: `0x${accounts[2]!.address}`,
      Behind: `0x${accounts[3]!.address}`,
    });
  });
});
