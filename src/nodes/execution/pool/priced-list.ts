import { effectiveTip } from './eviction.ts';
import { Heap } from './heap.ts';
import type { TransactionLookup } from './lookup.ts';
import type { PoolEntry } from './pooled-transaction.ts';

/** Of five transactions, four are judged by the next block, one by what it would pay in any. */
const URGENT = 4;
const FLOATING = 1;

/**
 * op-geth's order of what gives way when its pool is full. Most transactions stand in `urgent`, by what the next block's builder gets of them; the
 * worst of those fall into `floating`, by fee cap, and out of the pool from there: what a high base fee shuts out for now may outlast
 * what tips little. What has left the pool is passed over.
 */
export class PricedList {
  readonly #lookup: TransactionLookup;
  readonly #baseFee: () => bigint;
  #urgent: Heap<PoolEntry>;
  #floating: Heap<PoolEntry>;

  constructor(lookup: TransactionLookup, baseFee: () => bigint) {
    this.#lookup = lookup;
    this.#baseFee = baseFee;
    this.#urgent = this.#emptyUrgent();
    this.#floating = emptyFloating();
  }

  /** A transaction has come into the pool, or stays in it after all. */
  put(entry: PoolEntry): void {
    this.#urgent.push(entry);
    const tracked = this.#urgent.size + this.#floating.size;
    if (tracked - this.#lookup.size > tracked / 4) this.reheap();
  }

  /** Whether a transaction is worth no more than the worst of each heap. */
  isUnderpriced(entry: PoolEntry): boolean {
    const [urgent, floating] = [firstOf(this.#urgent), firstOf(this.#floating)];
    if (urgent === undefined && floating === undefined) return false;
    return (
      (urgent === undefined || byTip(urgent, entry, this.#baseFee()) >= 0) &&
      (floating === undefined || byFeeCap(floating, entry) >= 0)
    );
  }

  /** Takes the worst out of the list until they fill so many slots; undefined where all together do not. */
  discard(slots: number): PoolEntry[] | undefined {
    const dropped: PoolEntry[] = [];
    let left = slots;
    while (left > 0) {
      const [urgent, floating] = [firstOf(this.#urgent), firstOf(this.#floating)];
      if (urgent !== undefined && this.#urgent.size * FLOATING > this.#floating.size * URGENT) {
        this.#floating.push(this.#urgent.pop()!);
      } else if (floating !== undefined) {
        dropped.push(this.#floating.pop()!);
        left -= floating.slots;
      } else {
        for (const entry of dropped) this.#urgent.push(entry);
        return undefined;
      }
    }
    return dropped;
  }

  /** Sorts all that is in the pool anew, as a changed base fee asks for. */
  reheap(): void {
    this.#urgent = this.#emptyUrgent();
    this.#floating = emptyFloating();
    for (const entry of this.#lookup.all()) this.#urgent.push(entry);
    const share = Math.floor((this.#urgent.size * FLOATING) / (URGENT + FLOATING));
    for (let count = 0; count < share; count++) this.#floating.push(this.#urgent.pop()!);
  }

  #emptyUrgent(): Heap<PoolEntry> {
    const baseFee = this.#baseFee();
    return new Heap(before((one, other) => byTip(one, other, baseFee)));
  }
}

const emptyFloating = (): Heap<PoolEntry> => new Heap(before(byFeeCap));

/** The worst that is still in the pool. */
function firstOf(heap: Heap<PoolEntry>): PoolEntry | undefined {
  while (heap.top !== undefined && heap.top.subPool === undefined) heap.pop();
  return heap.top;
}

/** Of two that are worth the same, the later nonce goes first. */
function before(compared: (one: PoolEntry, other: PoolEntry) => number) {
  return (one: PoolEntry, other: PoolEntry): boolean => {
    const difference = compared(one, other);
    return difference === 0 ? one.transaction.nonce > other.transaction.nonce : difference < 0;
  };
}

/** Below zero where the first pays less: by what the next block's builder gets, then by fee cap, then by tip. */
function byTip(one: PoolEntry, other: PoolEntry, baseFee: bigint): number {
  return compare(effectiveTip(one, baseFee), effectiveTip(other, baseFee)) || byFeeCap(one, other);
}

/** The same by fee cap, then by tip. */
function byFeeCap({ transaction: one }: PoolEntry, { transaction: other }: PoolEntry): number {
  return compare(one.maxFeePerGas, other.maxFeePerGas) || compare(one.maxPriorityFeePerGas, other.maxPriorityFeePerGas);
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
