import { verifyMerkleProof } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { createAccountFromRLP } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { EMPTY_ACCOUNT } from '../../../../src/nodes/execution/state/account.ts';
import { StateReader } from '../../../../src/nodes/execution/state/reader.ts';
import { EMPTY_ROOT } from '../../../../src/nodes/execution/trie/trie.ts';
import { u256be, uintBe } from '../../../../src/protocol/bytes.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { MemoryState, stateOf } from '../support/memory-state.ts';

const CONTRACT = uintBe(0xaa, 20);
const WALLET = uintBe(0xbb, 20);
const ABSENT = uintBe(0xcc, 20);
const words = { [bytesToHex(u256be(0))]: '0x09', [bytesToHex(u256be(1))]: bytesToHex(u256be(2n ** 255n)) };
const { source, reader } = stateOf({
  [bytesToHex(CONTRACT)]: { nonce: '3', balance: '5', code: '0x6001', storage: words },
  [bytesToHex(WALLET)]: { balance: '7' },
});
const hexOf = (bytes: Uint8Array) => bytesToHex(bytes);

describe('the state reader', () => {
  it('reads accounts with their storage words and code', () => {
    expect(reader.account(CONTRACT)).toMatchObject({ nonce: 3n, balance: 5n });
    expect(reader.account(WALLET)).toEqual({ ...EMPTY_ACCOUNT, balance: 7n });
    const contract = reader.account(CONTRACT);
    expect(hexOf(reader.storage(contract, u256be(0)))).toBe('0x09');
    expect(hexOf(reader.storage(contract, u256be(1)))).toBe(`0x80${'00'.repeat(31)}`);
    expect(hexOf(reader.code(contract))).toBe('0x6001');
  });

  it('reads no bytes when an account, a slot or code is absent', () => {
    expect(reader.account(ABSENT)).toBeUndefined();
    const wallet = reader.account(WALLET);
    for (const account of [undefined, wallet]) {
      expect(reader.storage(account, u256be(0))).toHaveLength(0);
      expect(reader.code(account)).toHaveLength(0);
    }
    expect(reader.storage(reader.account(CONTRACT), u256be(2))).toHaveLength(0);
  });

  it('reads no account when the state is empty', () => {
    const empty = new StateReader(new MemoryState(), EMPTY_ROOT);
    expect(empty.account(CONTRACT)).toBeUndefined();
    expect(empty.proveAccount(CONTRACT)).toEqual([]);
  });

  it('throws when the store lacks the code of an account', () => {
    const codeHash = new Uint8Array(32).fill(1);
    expect(() => reader.code({ ...EMPTY_ACCOUNT, codeHash })).toThrow(`no code ${'01'.repeat(32)}`);
  });

  it('proves accounts, present and absent, to another library', async () => {
    for (const address of [CONTRACT, WALLET, ABSENT]) {
      const value = await verifyMerkleProof(address, reader.proveAccount(address), {
        root: reader.root,
        useKeyHashing: true,
      });
      const expected = reader.account(address);
      expect(value === null ? undefined : createAccountFromRLP(value).balance).toBe(expected?.balance);
    }
  });

  it('proves slots, present and absent, to another library', async () => {
    const contract = reader.account(CONTRACT)!;
    for (const slot of [0, 1, 2].map((at) => u256be(at))) {
      const proof = reader.proveStorage(contract, slot);
      const value = await verifyMerkleProof(slot, proof, { root: contract.storageRoot, useKeyHashing: true });
      const word = value === null ? new Uint8Array(0) : (RLP.decode(value) as Uint8Array);
      expect(hexOf(word)).toBe(hexOf(reader.storage(contract, slot)));
    }
  });

  it('proves no slot when the account is absent', () => {
    expect(reader.proveStorage(undefined, u256be(0))).toEqual([]);
    expect(reader.source).toBe(source);
  });
});
