import { rlpEncode, rlpUint } from '../codec/rlp.ts';
import { PREDEPLOYS } from '../execution/predeploys.ts';
import { keccak256Bytes } from '../hash.ts';
import { hexToBytes } from '../hex.ts';
import type { Hex } from '../types.ts';
import type { GenesisAccount, GenesisAlloc } from './alloc.ts';
import type { GenesisRoots } from './contracts.ts';
import { type TrieEntry, trieRoot } from './trie-root.ts';

/** Roots of a genesis state. Accounts that are one object are encoded once, alike code is hashed once. */
export function l2GenesisRoots(alloc: GenesisAlloc): GenesisRoots {
  const encoder = new AccountEncoder();
  const entries: TrieEntry[] = [];
  for (const [address, account] of alloc) entries.push({ path: pathOf(address), value: encoder.encode(account) });
  const passer = alloc.get(PREDEPLOYS.l2ToL1MessagePasser);
  return { stateRoot: trieRoot(entries), messagePasserRoot: storageRoot(passer?.storage ?? {}) };
}

class AccountEncoder {
  readonly #accounts = new Map<GenesisAccount, Uint8Array>();
  readonly #codeHashes = new Map<Hex, Uint8Array>();

  encode(account: GenesisAccount): Uint8Array {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const { nonce, balance, storage, code } = account;
    const encoded = rlpEncode([
      rlpUint(nonce),
      rlpUint(balance),
      hexToBytes(storageRoot(storage)),
      this.#codeHash(code),
    ]);
    this.#accounts.set(account, encoded);
    return encoded;
  }

  #codeHash(code: Hex): Uint8Array {
    const hash = this.#codeHashes.get(code) ?? keccak256Bytes(hexToBytes(code));
    this.#codeHashes.set(code, hash);
    return hash;
  }
}

function storageRoot(storage: GenesisAccount['storage']): Hex {
  const entries: TrieEntry[] = [];
  for (const [key, value] of Object.entries(storage))
    entries.push({ path: pathOf(key), value: rlpEncode(rlpUint(BigInt(value))) });
  return trieRoot(entries);
}

function pathOf(key: string): Uint8Array {
  return keccak256Bytes(hexToBytes(key));
}
