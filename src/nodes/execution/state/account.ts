import { asBigInt, asBytes, asList, rlpDecode, rlpEncode, rlpUint } from '../../../protocol/codec/rlp.ts';
import { EMPTY_CODE_HASH as EMPTY } from '../../../protocol/execution/constants.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { type Leaf, type StoredNode, storedNode } from '../trie/node.ts';
import { EMPTY_ROOT } from '../trie/trie.ts';

/** An account as the state trie holds it (Yellow Paper 4.1; geth: `StateAccount`). `balance` in wei. */
export interface StoredAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly storageRoot: Uint8Array;
  readonly codeHash: Uint8Array;
  /** Row id of the storage root in the store, for accounts that were read from it. */
  readonly storageRootId?: number;
}

/** Code hash of an account without code: keccak-256 of no bytes. */
export const EMPTY_CODE_HASH: Uint8Array = hexToBytes(EMPTY);

/** Whether a code hash is that of an account without code. */
export function isEmptyCodeHash(hash: Uint8Array): boolean {
  for (let at = 0; at < 32; at++) if (hash[at] !== EMPTY_CODE_HASH[at]) return false;
  return true;
}

/** An account without nonce, balance, storage and code. */
export const EMPTY_ACCOUNT: StoredAccount = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_ROOT,
  codeHash: EMPTY_CODE_HASH,
};

/** Encodes an account as the value of its leaf in the state trie. */
export function encodeAccount(account: StoredAccount): Uint8Array {
  return rlpEncode([rlpUint(account.nonce), rlpUint(account.balance), account.storageRoot, account.codeHash]);
}

/** Decodes the account in a leaf of the state trie. @throws ProtocolError rlp-malformed */
export function accountIn({ value, below }: Leaf): StoredAccount {
  const [nonce, balance, storageRoot, codeHash] = asList(rlpDecode(value), 'account', 4);
  return {
    nonce: asBigInt(nonce, 'nonce', 8),
    balance: asBigInt(balance, 'balance'),
    storageRoot: asBytes(storageRoot, 'storageRoot'),
    codeHash: asBytes(codeHash, 'codeHash'),
    ...(typeof below === 'number' ? { storageRootId: below } : {}),
  };
}

/** Returns the root of an account's storage trie. */
export function storageOf({ storageRoot, storageRootId }: StoredAccount): StoredNode {
  return storedNode(storageRoot, storageRootId);
}
