import { asBytes, rlpDecode } from '../../../protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import type { StoredNode } from '../trie/node.ts';
import { type NodeSource, Trie } from '../trie/trie.ts';
import { accountIn, isEmptyCodeHash, type StoredAccount, storageOf } from './account.ts';

/** Source of trie nodes and code. */
export interface StateSource extends NodeSource {
  /** @throws if the store lacks the code */
  code(hash: Uint8Array): Uint8Array;
  /** Returns the root node of a state by its hash. */
  root(hash: Uint8Array): StoredNode;
}

const EMPTY = new Uint8Array(0);

/**
 * The state under one root, read only (geth: `state.StateReader`, reth: `StateProvider`).
 * Creating one is cheap: the source caches what it reads.
 */
export class StateReader {
  readonly root: Uint8Array;
  readonly source: StateSource;
  readonly #accounts: Trie;
  /** The storage trie that was read last: code reads many slots of one account. */
  #storage: { readonly account: StoredAccount; readonly trie: Trie } | undefined;

  constructor(source: StateSource, root: Uint8Array) {
    this.source = source;
    this.root = root;
    this.#accounts = new Trie(source, source.root(root));
  }

  /** `key`: hash of the address. */
  account(address: Uint8Array, key = keccak256Bytes(address)): StoredAccount | undefined {
    const leaf = this.#accounts.find(key);
    return leaf && accountIn(leaf);
  }

  /** Returns a storage word without leading zeros, empty for zero. `slot` has 32 bytes. `key`: its hash. */
  storage(account: StoredAccount | undefined, slot: Uint8Array, key = keccak256Bytes(slot)): Uint8Array {
    if (account === undefined) return EMPTY;
    if (this.#storage?.account !== account)
      this.#storage = { account, trie: new Trie(this.source, storageOf(account)) };
    const rlp = this.#storage.trie.get(key);
    return rlp === undefined ? EMPTY : asBytes(rlpDecode(rlp), 'storage word');
  }

  /** Returns the code of an account, empty if it has none. */
  code(account: StoredAccount | undefined): Uint8Array {
    return account === undefined || isEmptyCodeHash(account.codeHash) ? EMPTY : this.source.code(account.codeHash);
  }

  /** Returns the trie nodes on the path to an account (EIP-1186). */
  proveAccount(address: Uint8Array): Uint8Array[] {
    return this.#accounts.prove(keccak256Bytes(address));
  }

  /** Returns the storage trie nodes on the path to a slot (EIP-1186). */
  proveStorage(account: StoredAccount | undefined, slot: Uint8Array): Uint8Array[] {
    return account === undefined ? [] : new Trie(this.source, storageOf(account)).prove(keccak256Bytes(slot));
  }
}
