import type { EvmState } from '../../../evm/machine/state.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { EMPTY_ACCOUNT, isEmptyCodeHash, type StoredAccount } from '../state/account.ts';
import type { StateJournal } from '../state/state-journal.ts';

/** Address of RIPEMD-160. It stays touched when a message reverts, as on mainnet since block 2,675,119. */
const RIPEMD = '0x0000000000000000000000000000000000000003';

/** The state of a block as our EVM reads and changes it, in one transaction. */
export class TransactionState implements EvmState {
  readonly #journal: StateJournal;
  readonly #touched = new Set<Hex>();
  /** Most transactions destroy nothing. */
  #destroyed: Set<Hex> | undefined;

  constructor(journal: StateJournal) {
    this.#journal = journal;
  }

  isEmpty(address: Hex): boolean {
    return isEmptyAccount(this.#account(address));
  }

  balance(address: Hex): bigint {
    return this.#account(address)?.balance ?? 0n;
  }

  setBalance(address: Hex, balance: bigint): void {
    this.#change(address, { balance });
  }

  nonce(address: Hex): bigint {
    return this.#account(address)?.nonce ?? 0n;
  }

  setNonce(address: Hex, nonce: bigint): void {
    this.#change(address, { nonce });
  }

  code(address: Hex): Uint8Array {
    const { bytes, key } = this.#journal.addressKey(address);
    return this.#journal.code(bytes, key);
  }

  codeHash(address: Hex): Hex {
    return bytesToHex((this.#account(address) ?? EMPTY_ACCOUNT).codeHash);
  }

  setCode(address: Hex, code: Uint8Array): void {
    this.touch(address);
    this.#journal.setCode(this.#bytesOf(address), code);
  }

  storage(address: Hex, slot: Uint8Array): Uint8Array {
    const { bytes, key } = this.#journal.addressKey(address);
    return this.#journal.word(bytes, slot, key);
  }

  hasStorage(address: Hex): boolean {
    return this.#journal.hasWords(this.#bytesOf(address));
  }

  touch(address: Hex): void {
    if (this.#touched.has(address)) return;
    this.#touched.add(address);
    if (address !== RIPEMD) this.#journal.record(() => this.#touched.delete(address));
  }

  destroy(address: Hex): void {
    this.#destroyed ??= new Set();
    const destroyed = this.#destroyed;
    if (destroyed.has(address)) return;
    destroyed.add(address);
    this.#journal.record(() => destroyed.delete(address));
  }

  checkpoint(): number {
    return this.#journal.mark();
  }

  revertTo(checkpoint: number): void {
    this.#journal.undoTo(checkpoint);
  }

  /** Writes a slot that the message has changed. */
  setStorage(address: Hex, slot: Uint8Array, value: Uint8Array): void {
    const { bytes, key } = this.#journal.addressKey(address);
    this.#journal.setWord(bytes, slot, value, key);
  }

  setAccount(address: Uint8Array, account: StoredAccount): void {
    const { bytes, hex, key } = this.#journal.addressKeyOf(address);
    this.touch(hex);
    this.#journal.setAccount(bytes, account, key);
  }

  /** Adds wei to an account and touches it. A sum above 256 bits wraps: only a mint can reach it. */
  credit(address: Uint8Array, wei: bigint): void {
    const { bytes, hex, key } = this.#journal.addressKeyOf(address);
    const account = this.#journal.account(bytes, key) ?? EMPTY_ACCOUNT;
    this.touch(hex);
    this.#journal.setAccount(bytes, { ...account, balance: BigInt.asUintN(256, account.balance + wei) }, key);
  }

  /** Removes what ran SELFDESTRUCT, and touched accounts that are empty (EIP-161). */
  end(): void {
    for (const address of this.#destroyed ?? []) this.#remove(address);
    for (const address of this.#touched) if (this.isEmpty(address)) this.#remove(address);
  }

  #remove(address: Hex): void {
    const bytes = this.#bytesOf(address);
    if (this.#journal.account(bytes) === undefined) return;
    this.#journal.clearWords(bytes);
    this.#journal.setAccount(bytes, undefined);
  }

  #account(address: Hex): StoredAccount | undefined {
    const { bytes, key } = this.#journal.addressKey(address);
    return this.#journal.account(bytes, key);
  }

  #change(address: Hex, change: Partial<StoredAccount>): void {
    this.touch(address);
    const { bytes, key } = this.#journal.addressKey(address);
    this.#journal.setAccount(bytes, { ...(this.#journal.account(bytes, key) ?? EMPTY_ACCOUNT), ...change }, key);
  }

  #bytesOf(address: Hex): Uint8Array {
    return this.#journal.addressKey(address).bytes;
  }
}

/** Whether an account has nonce 0, balance 0 and no code (EIP-161), or does not exist. */
function isEmptyAccount(account: StoredAccount | undefined): boolean {
  if (account === undefined) return true;
  return account.nonce === 0n && account.balance === 0n && isEmptyCodeHash(account.codeHash);
}
