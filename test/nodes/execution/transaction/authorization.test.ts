import { beforeAll, describe, expect, test } from 'vitest';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import {
  type Authorization,
  authorityOf,
  isForChain,
  MAX_NONCE,
} from '../../../../src/nodes/execution/transaction/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from '../support/accounts.ts';

beforeAll(prepareCrypto);

const account = ACCOUNTS[0]!;
const CODE: Hex = '0x00000000000000000000000000000000000c0de1';
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Signs an authorization with viem. */
async function signed(chainId: number, nonce: number): Promise<Authorization> {
  const { yParity, r, s } = await account.signAuthorization({ chainId, contractAddress: CODE, nonce });
  return {
    chainId: BigInt(chainId),
    address: hexToBytes(CODE),
    nonce: BigInt(nonce),
    yParity: BigInt(yParity!),
    r: BigInt(r),
    s: BigInt(s),
  };
}

describe('the authority of an authorization', () => {
  test('is its signer with each parity, on each chain', async () => {
    const parities = new Set<bigint>();
    for (const chainId of [0, 901])
      for (let nonce = 0; nonce < 6; nonce++) {
        const entry = await signed(chainId, nonce);
        parities.add(entry.yParity);
        expect(bytesToHex(authorityOf(entry)!)).toBe(account.address.toLowerCase());
      }
    expect(parities).toEqual(new Set([0n, 1n]));
  });

  test.each<[string, Partial<Authorization>]>([
    ['the parity is 2', { yParity: 2n }],
    ['s is 0', { s: 0n }],
    ['s is in the upper half', { s: ORDER / 2n + 1n }],
    ['r is 0', { r: 0n }],
    ['r is the order of the curve', { r: ORDER }],
    // x³ + 7 has no square root for x = 5.
    ['r is no coordinate of a point', { r: 5n }],
  ])('is none when %s', async (_, fields) => {
    expect(authorityOf({ ...(await signed(901, 0)), ...fields })).toBeUndefined();
  });

  // With such an r, ECDSA knows recovery ids of 2 and 3, which EIP-7702 has no parity for.
  test('is none when the parity is above 1, also when r and the order are a coordinate together', async () => {
    const entry = await signed(901, 0);
    for (let r = 1n; r < 30n; r++)
      for (const yParity of [2n, 3n]) expect(authorityOf({ ...entry, r, yParity })).toBeUndefined();
  });

  test('is an account when s is the largest of the lower half', async () => {
    expect(authorityOf({ ...(await signed(901, 0)), s: ORDER / 2n })).toHaveLength(20);
  });
});

test.each<[bigint, bigint, boolean]>([
  [901n, 0n, true],
  [0n, 0n, true],
  [1n, 0n, false],
  [901n, MAX_NONCE - 1n, true],
  [901n, MAX_NONCE, false],
  [0n, MAX_NONCE, false],
])('an authorization for chain %s with nonce %s is for chain 901: %s', async (chainId, nonce, expected) => {
  expect(isForChain({ ...(await signed(0, 0)), chainId, nonce }, 901)).toBe(expected);
  expect(MAX_NONCE).toBe(0xffff_ffff_ffff_ffffn);
});
