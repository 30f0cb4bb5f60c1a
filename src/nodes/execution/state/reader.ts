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

  constructor(source: StateSource, root: Uint8Array) {
    this.source = source;
    this.root = root;
    this.#accounts = new Trie(source, source.root(root));
  }

  account(address: Uint8Array): StoredAccount | undefined {
    const leaf = this.#accounts.find(keccak256Bytes(address));
    return leaf && accountIn(leaf);
  }

  /** Returns a storage word without leading zeros, empty for zero. `slot` has 32 bytes. */
  storage(account: StoredAccount | undefined, slot: Uint8Array): Uint8Array {
    if (account === undefined) return EMPTY;
    const rlp = new Trie(this.source, storageOf(account)).get(keccak256Bytes(slot));
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
