import { Account, Address } from '@ethereumjs/util';
import { beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_CODE_HASH } from '../../../../src/nodes/execution/state/account.ts';
import { JournaledState } from '../../../../src/nodes/execution/state/journaled.ts';
import { EMPTY_ROOT } from '../../../../src/nodes/execution/trie/trie.ts';
import { u256be, uintBe } from '../../../../src/protocol/bytes.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { stateOf } from '../support/memory-state.ts';

const CONTRACT = new Address(uintBe(0xaa, 20));
const ABSENT = new Address(uintBe(0xbb, 20));
const SLOT = u256be(1);
const { reader } = stateOf({
  [CONTRACT.toString()]: { nonce: '3', balance: '5', code: '0x6001', storage: { [bytesToHex(SLOT)]: '0x09' } },
});
let state: JournaledState;
beforeEach(() => {
  state = new JournaledState(reader);
});
const word = async (address: Address) => bytesToHex(await state.getStorage(address, SLOT));
const original = async () => bytesToHex(await state.originalStorageCache.get(CONTRACT, SLOT));

describe('the state of the EVM library', () => {
  it('reads accounts, words and code', async () => {
    const { storageRoot } = reader.account(CONTRACT.bytes)!;
    const codeHash = keccak256Bytes(hexToBytes('0x6001'));
    expect(await state.getAccount(CONTRACT)).toEqual(new Account(3n, 5n, storageRoot, codeHash));
    expect(await state.getAccount(ABSENT)).toBeUndefined();
    expect(bytesToHex(await state.getCode(CONTRACT))).toBe('0x6001');
    expect([await state.getCodeSize(CONTRACT), await state.getCodeSize(ABSENT)]).toEqual([2, 0]);
    expect([await word(CONTRACT), await word(ABSENT)]).toEqual(['0x09', '0x']);
  });

  it('writes and removes accounts', async () => {
    const account = new Account(1n, 2n, new Uint8Array(32).fill(3), new Uint8Array(32).fill(4));
    await state.putAccount(ABSENT, account);
    expect(await state.getAccount(ABSENT)).toEqual(account);
    expect(state.account(ABSENT.bytes)).toEqual({
      nonce: 1n,
      balance: 2n,
      storageRoot: account.storageRoot,
      codeHash: account.codeHash,
    });
    await state.putAccount(ABSENT, undefined);
    expect(await state.getAccount(ABSENT)).toBeUndefined();
  });

  it('has no words of an account that was deleted and created again', async () => {
    await state.deleteAccount(CONTRACT);
    expect(await state.getAccount(CONTRACT)).toBeUndefined();
    expect(await word(CONTRACT)).toBe('0x');
    await state.putAccount(CONTRACT, new Account(1n));
    expect(await word(CONTRACT)).toBe('0x');
    await state.putStorage(CONTRACT, SLOT, u256be(7));
    await state.deleteAccount(CONTRACT);
    expect(await word(CONTRACT)).toBe('0x');
  });

  const full = { nonce: 8n, balance: 9n, storageRoot: EMPTY_ROOT, codeHash: EMPTY_CODE_HASH };
  it.each(['nonce', 'balance', 'storageRoot', 'codeHash'] as const)('changes the %s alone', async (field) => {
    const before = state.account(CONTRACT.bytes)!;
    await state.modifyAccountFields(CONTRACT, { [field]: full[field] });
    const { nonce, balance, storageRoot, codeHash } = before;
    expect(state.account(CONTRACT.bytes)).toEqual({ nonce, balance, storageRoot, codeHash, [field]: full[field] });
  });

  it('creates an account without nonce, balance, storage and code when a field of it changes', async () => {
    await state.modifyAccountFields(ABSENT, {});
    expect(state.account(ABSENT.bytes)).toEqual({ ...full, nonce: 0n, balance: 0n });
  });

  it('writes code and words, and empties the storage', async () => {
    await state.putCode(ABSENT, hexToBytes('0x600160'));
    expect([bytesToHex(await state.getCode(ABSENT)), await state.getCodeSize(ABSENT)]).toEqual(['0x600160', 3]);
    await state.putStorage(CONTRACT, SLOT, u256be(0x102));
    expect(await word(CONTRACT)).toBe('0x0102');
    await state.clearStorage(CONTRACT);
    expect(await word(CONTRACT)).toBe('0x');
  });

  it('keeps the words of the transaction’s begin until the cache is cleared', async () => {
    await state.putStorage(CONTRACT, SLOT, u256be(4));
    expect(await original()).toBe('0x09');
    state.originalStorageCache.clear();
    expect(await original()).toBe('0x04');
  });

  it('has the root of the state below it, which cannot be set', async () => {
    await state.putStorage(CONTRACT, SLOT, u256be(4));
    expect(await state.getStateRoot()).toBe(reader.root);
    expect(await state.hasStateRoot(Uint8Array.from(reader.root))).toBe(true);
    expect(await state.hasStateRoot(EMPTY_ROOT)).toBe(false);
    await expect(state.setStateRoot()).rejects.toThrow('the root of a journaled state cannot change');
  });

  it('makes copies without its writes', async () => {
    await state.putStorage(CONTRACT, SLOT, u256be(4));
    const copy = state.shallowCopy();
    expect(bytesToHex(await copy.getStorage(CONTRACT, SLOT))).toBe('0x09');
    expect(copy.reader).toBe(reader);
  });
});
