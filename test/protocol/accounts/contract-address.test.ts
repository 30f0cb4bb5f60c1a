import { expect, it } from 'vitest';
import { contractAddress, saltedContractAddress } from '../../../src/protocol/accounts/contract-address.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';

it.each([
  ['0x970e8128ab834e8eac17ab8e3812f010678cf791', 0n, '0x333c3310824b7c685133f2bedb2ca4b8b4df633d'],
  ['0x970e8128ab834e8eac17ab8e3812f010678cf791', 1n, '0x8bda78331c916a08481428e4b07c96d3e916d165'],
  ['0x970e8128ab834e8eac17ab8e3812f010678cf791', 2n, '0xc9ddedf451bc62ce88bf9292afb13df35b670699'],
  ['0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0', 0n, '0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d'],
  ['0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0', 1n, '0x343c43a37d37dff08ae8c4a11544c718abb4fcf8'],
] as const)('a contract that %s creates at nonce %s has the address %s', (from, nonce, address) => {
  expect(contractAddress(from, nonce)).toBe(address);
});

const ZERO = '0x0000000000000000000000000000000000000000';
const DEAD = '0xdeadbeef00000000000000000000000000000000';
it.each([
  [ZERO, '00', '0x00', '0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38'],
  [DEAD, '00', '0x00', '0xb928f69bb1d91cd65274e3c79d8986362984fda3'],
  [ZERO, '00', '0xdeadbeef', '0x70f2b2914a2a4b783faefb75f459a580616fcb5e'],
  [ZERO, '00', '0x', '0xe33c0c7f7df4809055c3eba6c09cfe4baf1bd9e0'],
] as const)(
  'a contract that %s creates with salt %s and code %s has the address of EIP-1014',
  (from, salt, code, address) => {
    expect(saltedContractAddress(from, hexToBytes(`0x${salt.repeat(32)}`), hexToBytes(code))).toBe(address);
  },
);
