import type { AccountQueue } from './account-queue.ts';
import { Heap } from './heap.ts';
import type { TransactionLookup } from './lookup.ts';
import type { PoolEntry } from './pooled-transaction.ts';

/** Eviction policy of a pool: limits and lifetimes. */
export interface Eviction {
  /** Frees the slots that a transaction needs before it enters. @throws PoolError if others pay more */
  makeSpace(entry: PoolEntry): void;
  /** Drops transactions over a limit. `touched` is the only account that changed; absent: any may have. */
  enforce(touched?: AccountQueue): void;
  /** Called for each transaction that entered the pool. */
  entered(entry: PoolEntry): void;
  /** Called for each transaction that became pending. */
  promoted(entry: PoolEntry): void;
  /** Called when a new base fee changes the order of prices. */
  newBaseFee(): void;
  /** Returns the transactions whose lifetime has passed at `now`, milliseconds of the pool's clock. */
  expired(now: number): readonly PoolEntry[];
}

/** Returns the tip per gas in the next block in wei (geth: `EffectiveGasTip`). Negative below the base fee. */
export function effectiveTip({ transaction }: PoolEntry, baseFee: bigint): bigint {
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const margin = maxFeePerGas - baseFee;
  if (margin < maxPriorityFeePerGas) return margin;
  return maxPriorityFeePerGas;
}

/**
 * Pool entries in order of eviction.
 * The heap is built at first use and kept until prices change. Entries that left the pool are skipped.
 */
export class EvictionQueue {
  readonly #lookup: TransactionLookup;
  readonly #before: (one: PoolEntry, other: PoolEntry) => boolean;
  #heap: Heap<PoolEntry> | undefined;

  constructor(lookup: TransactionLookup, before: (one: PoolEntry, other: PoolEntry) => boolean) {
    this.#lookup = lookup;
    this.#before = before;
  }

  get first(): PoolEntry | undefined {
    const heap = this.#ensureHeap();
    while (heap.top !== undefined && heap.top.subPool === undefined) heap.pop();
    return heap.top;
  }

  takeFirst(): PoolEntry | undefined {
    const first = this.first;
    this.#heap?.pop();
    return first;
  }

  add(entry: PoolEntry): void {
    if (this.#heap === undefined) return;
    if (this.#heap.size > 2 * this.#lookup.size + 1024) this.forget();
    else this.#heap.push(entry);
  }

  forget(): void {
    this.#heap = undefined;
  }

  #ensureHeap(): Heap<PoolEntry> {
    if (this.#heap === undefined) {
      this.#heap = new Heap(this.#before);
      for (const entry of this.#lookup.all()) this.#heap.push(entry);
    }
    return this.#heap;
  }
}
