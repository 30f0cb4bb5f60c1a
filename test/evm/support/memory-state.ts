import type { EvmState } from '../../../src/evm/machine/state.ts';
import { keccak256 } from '../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';

/** An account before a message, or after it. */
export interface PlainAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  /** Slot as 32 bytes of hex to value. */
  readonly storage: ReadonlyMap<Hex, bigint>;
}

export type Accounts = ReadonlyMap<Hex, PlainAccount>;

const ABSENT: PlainAccount = { balance: 0n, nonce: 0n, code: new Uint8Array(), storage: new Map() };

/** State in maps, with accounts that are replaced. A revert takes back the changes behind a checkpoint. */
export class MemoryState implements EvmState {
  readonly #original: Accounts;
  readonly #accounts: Map<Hex, PlainAccount>;
  readonly #destroyed = new Set<Hex>();
  readonly #undo: (() => void)[] = [];

  constructor(accounts: Accounts) {
    this.#original = accounts;
    this.#accounts = new Map(accounts);
  }

  get accounts(): Accounts {
    return this.#accounts;
  }

  get destroyed(): ReadonlySet<Hex> {
    return this.#destroyed;
  }

  isEmpty(address: Hex): boolean {
    const { balance, nonce, code } = this.#at(address);
    return balance === 0n && nonce === 0n && code.length === 0;
  }

  balance(address: Hex): bigint {
    return this.#at(address).balance;
  }

  setBalance(address: Hex, balance: bigint): void {
    this.#change(address, { balance });
  }

  nonce(address: Hex): bigint {
    return this.#at(address).nonce;
  }

  setNonce(address: Hex, nonce: bigint): void {
    this.#change(address, { nonce });
  }

  code(address: Hex): Uint8Array {
    return this.#at(address).code;
  }

  codeHash(address: Hex): Hex {
    return keccak256(this.#at(address).code);
  }

  setCode(address: Hex, code: Uint8Array): void {
    this.#change(address, { code });
  }

  storage(address: Hex, slot: Uint8Array): Uint8Array {
    const value = this.#original.get(address)?.storage.get(bytesToHex(slot)) ?? 0n;
    return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
  }

  hasStorage(address: Hex): boolean {
    return this.#at(address).storage.size > 0;
  }

  /** The comparison leaves out empty accounts. */
  touch(): void {}

  destroy(address: Hex): void {
    if (this.#destroyed.has(address)) return;
    this.#destroyed.add(address);
    this.#undo.push(() => this.#destroyed.delete(address));
  }

  checkpoint(): number {
    return this.#undo.length;
  }

  revertTo(checkpoint: number): void {
    while (this.#undo.length > checkpoint) this.#undo.pop()?.();
  }

  #at(address: Hex): PlainAccount {
    return this.#accounts.get(address) ?? ABSENT;
  }

  #change(address: Hex, change: Partial<PlainAccount>): void {
    const before = this.#accounts.get(address);
    this.#undo.push(() =>
      before === undefined ? this.#accounts.delete(address) : this.#accounts.set(address, before),
    );
    this.#accounts.set(address, { ...this.#at(address), ...change });
  }
}
