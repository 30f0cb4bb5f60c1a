import { createAccount, createAccountFromRLP } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import {
  accountIn,
  EMPTY_ACCOUNT,
  EMPTY_CODE_HASH,
  encodeAccount,
  isEmptyCodeHash,
  storageOf,
} from '../../../../src/nodes/execution/state/account.ts';
import { byteKey, keyBytes } from '../../../../src/nodes/execution/state/byte-key.ts';
import { leaf } from '../../../../src/nodes/execution/trie/node.ts';
import { EMPTY_ROOT } from '../../../../src/nodes/execution/trie/trie.ts';
import { type RlpItem, rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';

const PATH = new Uint8Array(64);
const account = {
  nonce: 2n ** 64n - 1n,
  balance: 2n ** 256n - 1n,
  storageRoot: new Uint8Array(32).fill(0x11),
  codeHash: new Uint8Array(32).fill(0x22),
};
const leafOf = (item: RlpItem) => leaf(PATH, rlpEncode(item));

describe('an account', () => {
  it.each([
    ['that is empty', EMPTY_ACCOUNT],
    ['with the largest values', account],
    ['with a nonce alone', { ...EMPTY_ACCOUNT, nonce: 128n }],
  ])('%s has the encoding that the EVM library writes', (_, value) => {
    const encoded = encodeAccount(value);
    expect(Buffer.from(encoded)).toEqual(Buffer.from(createAccount(value).serialize()));
    const { nonce, balance, storageRoot, codeHash } = createAccountFromRLP(encoded);
    expect(accountIn(leaf(PATH, encoded))).toEqual({ nonce, balance, storageRoot, codeHash });
  });

  it('keeps the row id of its storage root, and only a row id', () => {
    const encoded = encodeAccount(account);
    expect(accountIn(leaf(PATH, encoded, 7))).toEqual({ ...account, storageRootId: 7 });
    expect(accountIn(leaf(PATH, encoded, 0))).toEqual({ ...account, storageRootId: 0 });
    expect(accountIn(leaf(PATH, encoded))).not.toHaveProperty('storageRootId');
    expect(accountIn(leaf(PATH, encoded, leaf(PATH, encoded)))).not.toHaveProperty('storageRootId');
  });

  const bytes = (length: number) => new Uint8Array(length).fill(1);
  const items = [bytes(1), bytes(1), bytes(32), bytes(32)];
  it.each<[string, RlpItem, string]>([
    ['no list', bytes(3), 'account must be a list'],
    ['three items', items.slice(0, 3), 'account must have 4 items, has 3'],
    ['five items', [...items, bytes(1)], 'account must have 4 items, has 5'],
    ['a nonce of 9 bytes', items.with(0, bytes(9)), 'nonce must be an integer of at most 8 bytes, has 9'],
    ['a balance of 33 bytes', items.with(1, bytes(33)), 'balance must be an integer of at most 32 bytes, has 33'],
    ['a list of nonces', [[], ...items.slice(1)], 'nonce must be a byte string'],
    ['a list of balances', [bytes(1), [], ...items.slice(2)], 'balance must be a byte string'],
    ['a list of roots', [bytes(1), bytes(1), [], bytes(32)], 'storageRoot must be a byte string'],
    ['a list of hashes', [...items.slice(0, 3), []], 'codeHash must be a byte string'],
  ])('is refused when its leaf holds %s', (_, item, message) => {
    expect(() => accountIn(leafOf(item))).toThrow(message);
  });

  it('references its storage trie by hash and row id', () => {
    const { hash, id } = storageOf({ ...account, storageRootId: 9 });
    expect([Buffer.from(hash), id]).toEqual([Buffer.from(account.storageRoot), 9]);
    expect(storageOf(account).id).toBeUndefined();
  });
});

describe('an account without code', () => {
  it('has the hash of no bytes as its code hash', () => {
    expect(Buffer.from(EMPTY_CODE_HASH)).toEqual(Buffer.from(keccak256Bytes(new Uint8Array(0))));
    expect(EMPTY_ACCOUNT).toEqual({ nonce: 0n, balance: 0n, storageRoot: EMPTY_ROOT, codeHash: EMPTY_CODE_HASH });
  });

  it('is told from others by every byte of the code hash', () => {
    expect(isEmptyCodeHash(Uint8Array.from(EMPTY_CODE_HASH))).toBe(true);
    for (let at = 0; at < 32; at++)
      expect(isEmptyCodeHash(EMPTY_CODE_HASH.map((byte, index) => (index === at ? byte ^ 1 : byte)))).toBe(false);
  });
});

describe('a byte key', () => {
  it('holds each byte as one character, and converts back', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const key = byteKey(bytes);
    expect([...key].map((character) => character.charCodeAt(0))).toEqual([...bytes]);
    expect(Buffer.from(keyBytes(key))).toEqual(Buffer.from(bytes));
    expect(byteKey(new Uint8Array(0))).toBe('');
    expect(byteKey(bytes.subarray(3, 5))).toBe('\u0003\u0004');
  });
});
