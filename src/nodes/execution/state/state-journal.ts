import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { EMPTY_ROOT } from '../trie/trie.ts';
import { EMPTY_CODE_HASH, isEmptyCodeHash, type StoredAccount } from './account.ts';
import { type ByteKey, byteKey, keyBytes } from './byte-key.ts';
import type { StateReader } from './reader.ts';

/** A storage word of the underlying state, and the hash of its slot, which the trie's write needs again. */
export interface LoadedWord {
  readonly word: Uint8Array;
  readonly key: Uint8Array;
}

/** Writes to one account over the state of the reader. */
export interface AccountChanges {
  /** undefined: the account does not exist. */
  account: StoredAccount | undefined;
  /** The account in the underlying state. */
  readonly below: StoredAccount | undefined;
  /** The underlying storage is hidden: the account was deleted or created again. */
  cleared: boolean;
  /** Storage words without leading zeros, by slot. */
  readonly storage: Map<ByteKey, Uint8Array>;
  /** Storage words of the underlying state that were read. */
  readonly loaded: ReadonlyMap<ByteKey, LoadedWord>;
  /** Hash of the address. */
  readonly key: Uint8Array;
}

interface Entry extends AccountChanges {
  isWritten: boolean;
  readonly loaded: Map<ByteKey, LoadedWord>;
}

/** Writes to a state: accounts by address, and new code by hash. */
export interface StateChanges {
  readonly accounts: ReadonlyMap<ByteKey, AccountChanges>;
  readonly codes: ReadonlyMap<ByteKey, Uint8Array>;
}

/** An address as bytes, as hex, and as the key of its account. */
export interface AddressKey {
  readonly bytes: Uint8Array;
  readonly hex: Hex;
  readonly key: ByteKey;
}

const EMPTY = new Uint8Array(0);

/**
 * Writes in memory over a read-only state, with a journal for reverts (geth: `StateDB`).
 * Nothing reaches the tries before `commitState`, once per block.
 */
export class StateJournal {
  #reader: StateReader;
  /** Accounts that were read or written, by address. */
  readonly #accounts = new Map<ByteKey, Entry>();
  /** By hex, and by the key. */
  readonly #addressKeys = new Map<string, AddressKey>();
  /** Code that was deployed here, by hash. */
  readonly #codes = new Map<ByteKey, Uint8Array>();
  #undo: (() => void)[] = [];
  #checkpoints: number[] = [];

  constructor(reader: StateReader) {
    this.#reader = reader;
  }

  get reader(): StateReader {
    return this.#reader;
  }

  /** Returns all writes and deployed code. */
  changes(): StateChanges {
    const accounts = new Map<ByteKey, AccountChanges>();
    for (const [address, entry] of this.#accounts) if (entry.isWritten) accounts.set(address, entry);
    return { accounts, codes: this.#codes };
  }

  /** Returns every account that was accessed, existing or not, with its accessed slots as hex. */
  touched(): ReadonlyMap<Hex, readonly Hex[]> {
    const hex = (key: ByteKey) => bytesToHex(keyBytes(key));
    return new Map(
      [...this.#accounts].map(([address, { storage, loaded }]) => [
        hex(address),
        [...new Set([...storage.keys(), ...loaded.keys()])].map(hex),
      ]),
    );
  }

  /** Converts an address once. The methods with a `key` take both forms, because a transaction asks often. */
  addressKey(address: Hex): AddressKey {
    let entry = this.#addressKeys.get(address);
    if (entry === undefined) {
      const bytes = hexToBytes(address);
      entry = { bytes, hex: address, key: byteKey(bytes) };
      this.#addressKeys.set(address, entry);
    }
    return entry;
  }

  /** {@link addressKey} of an address as bytes. */
  addressKeyOf(bytes: Uint8Array): AddressKey {
    const key = byteKey(bytes);
    let entry = this.#addressKeys.get(key);
    if (entry === undefined) {
      entry = this.addressKey(bytesToHex(bytes));
      this.#addressKeys.set(key, entry);
    }
    return entry;
  }

  /** Returns an account, or undefined if it does not exist. */
  account(address: Uint8Array, key?: ByteKey): StoredAccount | undefined {
    return this.#entry(address, key).account;
  }

  setAccount(address: Uint8Array, account: StoredAccount | undefined, key?: ByteKey): void {
    const entry = this.#entry(address, key);
    const before = entry.account;
    this.#markWritten(entry);
    this.#undo.push(() => {
      entry.account = before;
    });
    entry.account = account;
  }

  /** Adds wei to an account's balance, creating it if it does not exist. */
  addBalance(address: Uint8Array, wei: bigint): void {
    const account = this.account(address);
    this.setAccount(address, {
      nonce: account?.nonce ?? 0n,
      balance: (account?.balance ?? 0n) + wei,
      storageRoot: account?.storageRoot ?? EMPTY_ROOT,
      codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
    });
  }

  /** Returns a storage word without leading zeros. */
  word(address: Uint8Array, slot: Uint8Array, key?: ByteKey): Uint8Array {
    return this.#word(this.#entry(address, key), slot, byteKey(slot));
  }

  setWord(address: Uint8Array, slot: Uint8Array, value: Uint8Array, key?: ByteKey): void {
    const entry = this.#entry(address, key);
    const slotKey = byteKey(slot);
    const before = entry.storage.get(slotKey);
    this.#markWritten(entry);
    this.#undo.push(() => {
      if (before === undefined) entry.storage.delete(slotKey);
      else entry.storage.set(slotKey, before);
    });
    entry.storage.set(slotKey, withoutLeadingZeros(value));
  }

  /** Whether an account has storage words other than zero, of its own or of the state below. */
  hasWords(address: Uint8Array): boolean {
    const { account, cleared, storage } = this.#entry(address);
    if (!cleared && account !== undefined && Buffer.compare(account.storageRoot, EMPTY_ROOT) !== 0) return true;
    return [...storage.values()].some((word) => word.length > 0);
  }

  /** Empties the storage of an account. */
  clearWords(address: Uint8Array): void {
    const entry = this.#entry(address);
    const { account, cleared } = entry;
    const words = new Map(entry.storage);
    this.#markWritten(entry);
    this.#undo.push(() => {
      entry.account = account;
      entry.cleared = cleared;
      for (const [slot, value] of words) entry.storage.set(slot, value);
    });
    entry.cleared = true;
    entry.storage.clear();
    if (account !== undefined) entry.account = { ...account, storageRoot: EMPTY_ROOT };
  }

  code(address: Uint8Array, key?: ByteKey): Uint8Array {
    const account = this.account(address, key);
    return account === undefined ? EMPTY : this.codeOf(account.codeHash);
  }

  /** Returns code by its hash. */
  codeOf(codeHash: Uint8Array): Uint8Array {
    if (isEmptyCodeHash(codeHash)) return EMPTY;
    return this.#codes.get(byteKey(codeHash)) ?? this.#reader.source.code(codeHash);
  }

  setCode(address: Uint8Array, code: Uint8Array): void {
    const codeHash = keccak256Bytes(code);
    if (code.length > 0) this.#codes.set(byteKey(codeHash), code);
    const account = this.account(address);
    this.setAccount(address, {
      nonce: account?.nonce ?? 0n,
      balance: account?.balance ?? 0n,
      storageRoot: account?.storageRoot ?? EMPTY_ROOT,
      codeHash,
    });
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length);
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop();
    if (this.#checkpoints.length === 0) this.#undo.length = 0;
  }

  async revert(): Promise<void> {
    this.undoTo(this.#checkpoints.pop() ?? 0);
  }

  /** Returns a point of the running checkpoint, to which `undoTo` takes all changes back. */
  mark(): number {
    return this.#undo.length;
  }

  undoTo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }

  /** Lets a revert take back a change that is kept elsewhere. */
  record(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Open checkpoints. */
  get depth(): number {
    return this.#checkpoints.length;
  }

  /** Reverts checkpoints until `depth` of them are open. */
  async revertTo(depth: number): Promise<void> {
    while (this.#checkpoints.length > depth) await this.revert();
  }

  #entry(address: Uint8Array, key = byteKey(address)): Entry {
    let entry = this.#accounts.get(key);
    if (entry === undefined) {
      const hash = keccak256Bytes(address);
      const below = this.#reader.account(address, hash);
      entry = {
        account: below,
        below,
        key: hash,
        cleared: false,
        isWritten: false,
        storage: new Map(),
        loaded: new Map(),
      };
      this.#accounts.set(key, entry);
    }
    return entry;
  }

  #word(entry: Entry, slot: Uint8Array, key: ByteKey): Uint8Array {
    const written = entry.storage.get(key);
    if (written !== undefined) return written;
    if (entry.cleared) return EMPTY;
    let loaded = entry.loaded.get(key);
    if (loaded === undefined) {
      const hash = keccak256Bytes(slot);
      loaded = { word: this.#reader.storage(storedBelow(entry), slot, hash), key: hash };
      entry.loaded.set(key, loaded);
    }
    return loaded.word;
  }

  #markWritten(entry: Entry): void {
    if (entry.isWritten) return;
    entry.isWritten = true;
    this.#undo.push(() => {
      entry.isWritten = false;
    });
  }
}

/** Returns the account whose stored trie is the base of an account's writes. undefined: the trie starts empty. */
export function storedBelow({
  account,
  below,
  cleared,
}: Pick<AccountChanges, 'account' | 'below' | 'cleared'>): StoredAccount | undefined {
  if (cleared || account === undefined || below === undefined) return undefined;
  const isSame =
    account.storageRoot === below.storageRoot || Buffer.compare(account.storageRoot, below.storageRoot) === 0;
  return isSame ? below : account;
}

function withoutLeadingZeros(value: Uint8Array): Uint8Array {
  let from = 0;
  while (value[from] === 0) from++;
  return from === 0 ? value : value.subarray(from);
}
