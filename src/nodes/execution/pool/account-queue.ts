import type { Hex } from '../../../protocol/types.ts';
import { Heap } from './heap.ts';
import type { PoolEntry, SubPool } from './pooled-transaction.ts';

/**
 * Returns the sub-pool of a transaction without a nonce gap before it.
 * `overdrawn`: this and the sender's earlier transactions cost more than the balance.
 */
export type SelectSubPool = (entry: PoolEntry, overdrawn: boolean) => SubPool;

/** Receives the sub-pool of each transaction, also an unchanged one. */
export type AssignSubPool = (entry: PoolEntry, subPool: SubPool) => void;

/**
 * The transactions of one sender, as `list` of geth's legacypool.
 * A run of nonces follows the state's nonce, the others are behind a gap. The start of the run is pending; from the
 * first transaction that cannot run yet, the rest is queued.
 */
export class AccountQueue {
  readonly key: Hex;
  readonly address: Uint8Array;
  /**
   * Time at which a transaction was first queued or last became pending, while any is queued.
   * Milliseconds of the pool's clock.
   */
  beat: number | undefined;
  #nonce: bigint;
  #balance: bigint;
  readonly #run: PoolEntry[] = [];
  readonly #gapped = new Map<bigint, PoolEntry>();
  /** The gapped transactions with the highest nonce on top. Some entries are stale. */
  #highest = new Heap<PoolEntry>(isHigher);
  /** Number of pending transactions in the run, and their cost in wei. */
  #ready = 0;
  #readyCost = 0n;

  constructor(key: Hex, address: Uint8Array, nonce: bigint, balance: bigint) {
    this.key = key;
    this.address = address;
    this.#nonce = nonce;
    this.#balance = balance;
  }

  get size(): number {
    return this.#run.length + this.#gapped.size;
  }

  get pendingCount(): number {
    return this.#ready;
  }

  get queuedCount(): number {
    return this.size - this.#ready;
  }

  /** Cost of all pending transactions in wei. */
  get pendingCost(): bigint {
    return this.#readyCost;
  }

  /** The nonce of the first gap. */
  get nextNonce(): bigint {
    return this.#nonce + BigInt(this.#run.length);
  }

  get lastPending(): PoolEntry | undefined {
    return this.#run[this.#ready - 1];
  }

  /**
   * Returns the transaction of the highest nonce in a sub-pool.
   * `basefee` holds at most one transaction of a sender: those after it are queued.
   */
  lastParked(subPool: 'basefee' | 'queued'): PoolEntry | undefined {
    if (subPool === 'queued' && this.#gapped.size > 0) return this.#lastGapped();
    const parked = subPool === 'queued' ? this.#run.at(-1) : this.#run[this.#ready];
    return parked?.subPool === subPool ? parked : undefined;
  }

  find(nonce: bigint): PoolEntry | undefined {
    const index = nonce - this.#nonce;
    return index >= 0n && index < this.#run.length ? this.#run[Number(index)] : this.#gapped.get(nonce);
  }

  pending(): PoolEntry[] {
    return this.#run.slice(0, this.#ready);
  }

  /** Returns the queued transactions in order of nonce. */
  queued(): PoolEntry[] {
    return [...this.#run.slice(this.#ready), ...[...this.#gapped.values()].sort(byNonce)];
  }

  entries(): PoolEntry[] {
    return [...this.#run, ...this.#gapped.values()];
  }

  /** Adds a transaction and returns the one of the same nonce that it replaces. Call `settle` afterwards. */
  put(entry: PoolEntry, assign: AssignSubPool): PoolEntry | undefined {
    const { nonce } = entry.transaction;
    const index = Number(nonce - this.#nonce);
    if (index > this.#run.length) {
      const replaced = this.#gapped.get(nonce);
      this.#addGapped(entry);
      assign(entry, 'queued');
      return replaced;
    }
    const replaced = this.#run[index];
    this.#rewind(index);
    this.#run[index] = entry;
    this.#absorb();
    return replaced;
  }

  /** Removes a transaction. Those after it are behind a gap then. Call `settle` afterwards. */
  remove(entry: PoolEntry, assign: AssignSubPool): void {
    const { nonce } = entry.transaction;
    if (this.#gapped.delete(nonce)) return;
    const index = Number(nonce - this.#nonce);
    this.#rewind(index);
    this.#park(this.#run.splice(index).slice(1), assign);
  }

  /**
   * Moves the account to another state and returns the transactions whose nonces have passed.
   * Costs may change before the call of `settle`.
   */
  move(nonce: bigint, balance: bigint, assign: AssignSubPool): PoolEntry[] {
    this.#balance = balance;
    this.#rewind(0);
    const stale: PoolEntry[] = [];
    if (nonce < this.#nonce) this.#park(this.#run.splice(0), assign);
    else stale.push(...this.#run.splice(0, Number(nonce - this.#nonce)));
    this.#nonce = nonce;
    for (const [at, entry] of this.#gapped)
      if (at < nonce) {
        this.#gapped.delete(at);
        stale.push(entry);
      }
    this.#absorb();
    return stale;
  }

  /** Determines which transactions of the run are pending. */
  settle(selectSubPool: SelectSubPool, assign: AssignSubPool): void {
    let waiting = false;
    for (const entry of this.#run.slice(this.#ready)) {
      const totalCost = this.#readyCost + entry.cost;
      const subPool = waiting ? 'queued' : selectSubPool(entry, totalCost > this.#balance);
      assign(entry, subPool);
      if (subPool !== 'pending') waiting = true;
      else {
        this.#ready++;
        this.#readyCost = totalCost;
      }
    }
  }

  #rewind(to: number): void {
    while (this.#ready > to) {
      this.#ready--;
      this.#readyCost -= this.#run[this.#ready]?.cost ?? 0n;
    }
  }

  #park(entries: readonly PoolEntry[], assign: AssignSubPool): void {
    for (const entry of entries) {
      this.#addGapped(entry);
      assign(entry, 'queued');
    }
  }

  #addGapped(entry: PoolEntry): void {
    this.#gapped.set(entry.transaction.nonce, entry);
    this.#highest.push(entry);
    if (this.#highest.size <= 2 * this.#gapped.size + 64) return;
    this.#highest = new Heap(isHigher);
    for (const gapped of this.#gapped.values()) this.#highest.push(gapped);
  }

  #lastGapped(): PoolEntry | undefined {
    const heap = this.#highest;
    while (heap.top !== undefined && this.#gapped.get(heap.top.transaction.nonce) !== heap.top) heap.pop();
    return heap.top;
  }

  #absorb(): void {
    for (;;) {
      const next = this.#gapped.get(this.nextNonce);
      if (next === undefined) return;
      this.#gapped.delete(this.nextNonce);
      this.#run.push(next);
    }
  }
}

function isHigher(one: PoolEntry, other: PoolEntry): boolean {
  return one.transaction.nonce > other.transaction.nonce;
}

function byNonce(left: PoolEntry, right: PoolEntry): number {
  return left.transaction.nonce < right.transaction.nonce ? -1 : 1;
}
