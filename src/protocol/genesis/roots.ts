import { rlpEncode, rlpUint } from '../codec/rlp.ts';
import { secureTrieRoot } from '../codec/trie.ts';
import { PREDEPLOYS } from '../execution/predeploys.ts';
import { keccak256Bytes } from '../hash.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import type { Hex } from '../types.ts';
import type { GenesisRoots } from './contracts.ts';
import type { GenesisAccount } from './file/account.ts';

/** An account of a genesis state. The nonce of one that a file states may exceed 2^53. */
export type RootedAccount = Omit<GenesisAccount, 'nonce'> & { readonly nonce: number | bigint };

/**
 * Computes the roots of a genesis state (geth: `hashAlloc`, alloy: `state_root_ref_unhashed`).
 * Accounts that are one object are encoded once, alike code is hashed once.
 */
export function l2GenesisRoots(alloc: ReadonlyMap<Hex, RootedAccount>): GenesisRoots {
  const encoder = new AccountEncoder();
  const accounts = [...alloc].map(([address, account]) => [hexToBytes(address), encoder.encode(account)] as const);
  const passer = alloc.get(PREDEPLOYS.l2ToL1MessagePasser);
  return { stateRoot: bytesToHex(secureTrieRoot(accounts)), messagePasserRoot: storageRoot(passer?.storage ?? {}) };
}

class AccountEncoder {
  readonly #accounts = new Map<RootedAccount, Uint8Array>();
  readonly #codeHashes = new Map<Hex, Uint8Array>();

  encode(account: RootedAccount): Uint8Array {
    const entry = this.#accounts.get(account);
    if (entry !== undefined) return entry;
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
  const slots = Object.entries(storage).map(
    ([key, value]) => [hexToBytes(key), rlpEncode(rlpUint(BigInt(value)))] as const,
  );
  return bytesToHex(secureTrieRoot(slots));
}
