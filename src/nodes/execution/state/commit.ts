import { rlpEncode } from '../../../protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { EMPTY_ROOT, Trie } from '../trie/trie.ts';
import { encodeAccount } from './account.ts';
import type { AccountChanges } from './journaled.ts';
import type { StateReader } from './reader.ts';

/** A new state: its root and what the store must hold for it beyond the state it came from. */
export interface StateDiff {
  readonly root: Uint8Array;
  readonly nodes: readonly { readonly hash: Uint8Array; readonly rlp: Uint8Array }[];
  readonly codes: readonly { readonly hash: Uint8Array; readonly code: Uint8Array }[];
  /** Storage roots of the changed accounts, by address (hex). */
  readonly storageRoots: ReadonlyMap<string, Uint8Array>;
}

/** Hashes a block's writes into the tries. */
export function commitState(
  reader: StateReader,
  changes: { accounts: ReadonlyMap<string, AccountChanges>; codes: ReadonlyMap<string, Uint8Array> },
): StateDiff {
  const nodes: { hash: Uint8Array; rlp: Uint8Array }[] = [];
  const emit = (hash: Uint8Array, rlp: Uint8Array) => void nodes.push({ hash, rlp });
  const accounts = new Trie(reader.source, reader.root);
  const storageRoots = new Map<string, Uint8Array>();
  for (const [addressHex, { account, cleared, storage }] of changes.accounts) {
    const key = keccak256Bytes(hexToBytes(addressHex));
    if (account === undefined) {
      accounts.delete(key);
      storageRoots.set(addressHex, EMPTY_ROOT);
      continue;
    }
    let storageRoot = cleared ? EMPTY_ROOT : account.storageRoot;
    if (storage.size > 0) {
      const words = new Trie(reader.source, storageRoot);
      for (const [slot, value] of storage) {
        const hashed = keccak256Bytes(hexToBytes(slot));
        if (value.length === 0) words.delete(hashed);
        else words.put(hashed, rlpEncode(value));
      }
      storageRoot = words.commit(emit);
    }
    storageRoots.set(addressHex, storageRoot);
    accounts.put(key, encodeAccount({ ...account, storageRoot }));
  }
  const codes = [...changes.codes].map(([hash, code]) => ({ hash: hexToBytes(hash), code }));
  return { root: accounts.commit(emit), nodes, codes, storageRoots };
}
