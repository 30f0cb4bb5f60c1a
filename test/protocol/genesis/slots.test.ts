import { domainSeparator } from 'viem';
import { expect, it } from 'vitest';
import { addressSlots, batchInboxAddress } from '../../../src/protocol/genesis/addresses.ts';
import { l1SlotValues, slotValues } from '../../../src/protocol/genesis/slots.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { chainInputs, GENESIS_TIME } from './inputs.ts';
import { small } from './small-contracts.ts';

const address = (byte: string): Hex => `0x${byte.repeat(20)}`;
const digits = (value: number | string, bytes: number) =>
  (typeof value === 'number' ? value.toString(16) : value).padStart(bytes * 2, '0');
const permit2 = (chainId: number) =>
  domainSeparator({
    domain: { name: 'Permit2', chainId, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
  }).slice(2);

const inputs = chainInputs({
  blockTime: 3,
  roles: {
    owner: address('a1'),
    proposer: address('a2'),
    challenger: address('a3'),
    unsafeBlockSigner: address('a4'),
  },
  withdrawals: {
    system: 'output-oracle',
    submissionInterval: 11,
    finalizationPeriod: 12,
    gameClock: 13,
    gameFinality: 14,
    startingRoot: `0x${'15'.repeat(32)}`,
    portalBalance: '0',
  },
  systemConfig: {
    batcherAddr: address('a5'),
    overhead: `0x${'16'.repeat(32)}`,
    scalar: `0x01${'00'.repeat(23)}1718191a1b1c1d1e`,
    gasLimit: 9_999_999,
    eip1559Params: '0x2021222324252627',
    operatorFeeParams: `0x${'00'.repeat(20)}28292a2b2c2d2e2f30313233`,
    minBaseFee: 34,
    daFootprintGasScalar: 35,
  },
});

it('the slots of a chain have the values of its inputs', () => {
  expect(slotValues(inputs, small)).toStrictEqual({
    ...addressSlots(901, small),
    owner: 'a1'.repeat(20),
    proposer: 'a2'.repeat(20),
    challenger: 'a3'.repeat(20),
    unsafeBlockSigner: 'a4'.repeat(20),
    feeVaultRecipient: 'a1'.repeat(20),
    batchInbox: batchInboxAddress(901).slice(2),
    chainId: digits(901, 32),
    permit2DomainSeparator: permit2(901),
    l1ChainId: digits(900, 32),
    l1Permit2DomainSeparator: permit2(900),
    submissionInterval: digits(11, 32),
    finalizationPeriodSeconds: digits(12, 32),
    proofMaturityDelaySeconds: digits(12, 32),
    disputeGameFinalityDelaySeconds: digits(14, 32),
    gameDuration: digits(26, 32),
    startingRoot: '15'.repeat(32),
    l2BlockTime: digits(3, 32),
    startingTimestamp: digits(GENESIS_TIME, 32),
    maxResourceLimit: digits(8_999_990, 4),
    batcherHash: digits('a5'.repeat(20), 32),
    overhead: '16'.repeat(32),
    scalar: `01${'00'.repeat(23)}1718191a1b1c1d1e`,
    basefeeScalar: '1b1c1d1e',
    blobbasefeeScalar: '1718191a',
    gasLimit: digits(9_999_999, 8),
    eip1559Denominator: '20212223',
    eip1559Elasticity: '24252627',
    operatorFeeScalar: '28292a2b',
    operatorFeeConstant: '2c2d2e2f30313233',
    minBaseFee: digits(34, 8),
    daFootprintGasScalar: digits(35, 2),
  });
});

it('the slots of a chain with a scalar of version 0 have no blob base fee scalar', () => {
  const scalar = `0x${'00'.repeat(24)}1718191a1b1c1d1e` as const;
  expect(slotValues(chainInputs({ systemConfig: { scalar } }), small)).toMatchObject({
    scalar: scalar.slice(2),
    basefeeScalar: '1b1c1d1e',
    blobbasefeeScalar: '00000000',
  });
});

it('the slots that all chains of an L1 share have its values', () => {
  expect(l1SlotValues(1)).toStrictEqual({ l1ChainId: digits(1, 32), l1Permit2DomainSeparator: permit2(1) });
});
