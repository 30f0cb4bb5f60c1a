import { HDKey, hdKeyToAccount, mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import {
  accountsOfSeed,
  devAccounts,
  GENESIS_DEFAULTS,
  l2Alloc,
  roleAccounts,
} from '../../../src/protocol/genesis/index.ts';
import { slotValues } from '../../../src/protocol/genesis/slots.ts';
import { fill, word } from '../../../src/protocol/genesis/template.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import { chainInputs, contracts } from './inputs.ts';

const mnemonic = 'test test test test test test test test test test test junk';

describe('accounts', () => {
  it('are those of the development mnemonic, baked or derived', () => {
    const expected = Array.from({ length: 12 }, (_, addressIndex) =>
      mnemonicToAccount(mnemonic, { addressIndex }).address.toLowerCase(),
    );
    expect(devAccounts(12, contracts).map(({ address }) => address)).toEqual(expected);
    expect(devAccounts(3, contracts)).toHaveLength(3);
  });

  it.each([901, 4_242_424])('of chain %i are derived from a branch of its own', (chainId) => {
    const roles = roleAccounts(chainId, contracts);
    for (const [index, role] of (['owner', 'batcher', 'proposer', 'challenger', 'sequencer'] as const).entries()) {
      const path = `m/44'/60'/${chainId}'/0/${index}` as const;
      expect(roles[role].address).toBe(mnemonicToAccount(mnemonic, { path }).address.toLowerCase());
    }
  });
});

describe('accounts of others', () => {
  it('are those of a user’s own seed', () => {
    const seed = Uint8Array.from({ length: 64 }, (_, at) => at);
    const expected = [0, 1, 2].map((addressIndex) => {
      const account = hdKeyToAccount(HDKey.fromMasterSeed(seed), { addressIndex });
      return { address: account.address.toLowerCase(), privateKey: bytesToHex(account.getHdKey().privateKey!) };
    });
    expect(accountsOfSeed(seed, 3)).toEqual(expected);
  });

  it('are the role accounts that were derived beforehand', () => {
    const roles = roleAccounts(902, contracts);
    const { accounts } = contracts;
    expect(roleAccounts(7, { accounts: { ...accounts, roles: { 7: roles } } })).toBe(roles);
  });
});

it('the output root of block 0 is unknown by default, as deployments of public chains write it', () => {
  expect(GENESIS_DEFAULTS.withdrawals.startingRoot).toBe(`0xdead${'0'.repeat(60)}`);
});

describe('slots', () => {
  it('all have a value of their width', () => {
    const values = slotValues(chainInputs(), contracts);
    for (const [slot, bytes] of Object.entries(contracts.slots))
      expect([slot, values[slot]?.length]).toEqual([slot, bytes * 2]);
  });

  it('split the scalar of encoding version 1, and take the whole of version 0', () => {
    const scalar = (digits: string) => slotValues(chainInputs({ systemConfig: { scalar: `0x${digits}` } }), contracts);
    expect(scalar(`01${'0'.repeat(46)}000c5fc500000558`)).toMatchObject({
      basefeeScalar: '00000558',
      blobbasefeeScalar: '000c5fc5',
    });
    expect(scalar((684_000).toString(16).padStart(64, '0'))).toMatchObject({
      basefeeScalar: '000a6fe0',
      blobbasefeeScalar: '00000000',
    });
  });

  it.each([
    [30_000_000, 20_000_000],
    [10_000_007, 9_000_000],
    [500_000, 0],
  ])('leave gas for deposits below a gas limit of %i', (gasLimit, expected) => {
    expect(
      Number.parseInt(slotValues(chainInputs({ systemConfig: { gasLimit } }), contracts).maxResourceLimit!, 16),
    ).toBe(expected);
  });

  it.each([
    ['a slot without a value', () => fill([{ slot: 'owner' }], {}, { owner: 20 }), 'slot-missing'],
    ['a value of another width', () => fill([{ slot: 'owner' }], { owner: 'ab' }, { owner: 20 }), 'slot-width'],
    ['a number that is too large', () => word(256, 1), 'slot-width'],
    ['a negative number', () => word(-1n, 8), 'slot-width'],
    [
      'an account that is no address',
      () => l2Alloc(chainInputs({ accounts: [{ address: '0x12', balance: '1' }] }), contracts),
      'account',
    ],
    [
      'a balance that is no number',
      () => l2Alloc(chainInputs({ accounts: [{ address: `0x${'1'.repeat(40)}`, balance: '1 ether' }] }), contracts),
      'account',
    ],
  ])('%s is an error', (_, act, code) => {
    expect(act).toThrow(expect.objectContaining({ name: 'GenesisError', code }));
  });
});
