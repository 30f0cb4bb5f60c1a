import type { AccountQueue } from './account-queue.ts';
import { Heap } from './heap.ts';
import type { TransactionLookup } from './lookup.ts';
import type { PoolEntry } from './pooled-transaction.ts';

/** What a pool does where its limits are reached, and with what has waited too long. */
export interface Eviction {
  /** Before a transaction enters: makes room for it. @throws PoolRefusal where it is not worth it */
  makeSpace(entry: PoolEntry): void;
  /** After a change: drops what is over a limit. `touched`: the one sender that changed; absent: any may have. */
  enforce(touched?: AccountQueue): void;
  /** Told of each transaction that entered. */
  entered(entry: PoolEntry): void;
  /** Told of each that became pending. */
  promoted(entry: PoolEntry): void;
  /** The order of prices has changed. */
  newBaseFee(): void;
  /** What has waited too long, at a time of the pool's clock. */
  expired(now: number): readonly PoolEntry[];
}

/** What the head's next block would give its builder for a gas of this transaction, wei; negative below the base fee. */
export function effectiveTip({ transaction }: PoolEntry, baseFee: bigint): bigint {
  const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const margin = maxFeePerGas - baseFee;
  if (margin < maxPriorityFeePerGas) return margin;
  return maxPriorityFeePerGas;
}

/**
 * Candidates in an order in which the first goes first. Made when it is first needed and kept until prices change; what has left the pool in the
 * meantime is passed over.
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
    const heap = this.#made();
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

  #made(): Heap<PoolEntry> {
    if (this.#heap === undefined) {
      this.#heap = new Heap(this.#before);
      for (const entry of this.#lookup.all()) this.#heap.push(entry);
    }
    return this.#heap;
  }
}
