import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address } from '@ethereumjs/util';
import { bytesToHex } from '../../../protocol/hex.ts';
import { EMPTY_ROOT } from '../trie/trie.ts';
import { EMPTY_CODE_HASH } from './account.ts';
import { StateJournal } from './state-journal.ts';

/** The state during execution, as the EVM library works on it. */
export class JournaledState extends StateJournal implements StateManagerInterface {
  readonly originalStorageCache = {
    get: async (address: Address, slot: Uint8Array): Promise<Uint8Array> => this.originalWord(address.bytes, slot),
    clear: (): void => this.forgetOriginals(),
  };

  async getAccount(address: Address): Promise<Account | undefined> {
    const account = this.account(address.bytes);
    return account && new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    this.setAccount(
      address.bytes,
      account && {
        nonce: account.nonce,
        balance: account.balance,
        storageRoot: account.storageRoot,
        codeHash: account.codeHash,
      },
    );
  }

  async deleteAccount(address: Address): Promise<void> {
    this.clearWords(address.bytes);
    this.setAccount(address.bytes, undefined);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = this.account(address.bytes);
    this.setAccount(address.bytes, {
      nonce: fields.nonce ?? account?.nonce ?? 0n,
      balance: fields.balance ?? account?.balance ?? 0n,
      storageRoot: fields.storageRoot ?? account?.storageRoot ?? EMPTY_ROOT,
      codeHash: fields.codeHash ?? account?.codeHash ?? EMPTY_CODE_HASH,
    });
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.setCode(address.bytes, code);
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.code(address.bytes);
  }

  async getCodeSize(address: Address): Promise<number> {
    return this.code(address.bytes).length;
  }

  async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    return this.word(address.bytes, slot);
  }

  async putStorage(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    this.setWord(address.bytes, slot, value);
  }

  async clearStorage(address: Address): Promise<void> {
    this.clearWords(address.bytes);
  }

  async getStateRoot(): Promise<Uint8Array> {
    return this.reader.root;
  }

  async setStateRoot(): Promise<void> {
    throw new Error('the root of a journaled state cannot change');
  }

  async hasStateRoot(root: Uint8Array): Promise<boolean> {
    return bytesToHex(root) === bytesToHex(this.reader.root);
  }

  shallowCopy(): JournaledState {
    return new JournaledState(this.reader);
  }
}
