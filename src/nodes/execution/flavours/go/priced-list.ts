import { effectiveTip } from '../../pool/eviction.ts';
import { Heap } from '../../pool/heap.ts';
import type { TransactionLookup } from '../../pool/lookup.ts';
import type { PoolEntry } from '../../pool/pooled-transaction.ts';

/** Share of the two heaps: four urgent transactions for each floating one. */
const URGENT_SHARE = 4;
const FLOATING_SHARE = 1;

/**
 * op-geth's `pricedList` (core/txpool/legacypool/list.go): the order of eviction from a full pool.
 * `urgent` is ordered by effective tip in the next block, `floating` by fee cap. The worst urgent transactions move to
 * `floating` and are evicted from there. Transactions that left the pool are skipped.
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

  /** Adds a transaction that entered the pool, or that is kept after all. */
  put(entry: PoolEntry): void {
    this.#urgent.push(entry);
    const tracked = this.#urgent.size + this.#floating.size;
    if (tracked - this.#lookup.size > tracked / 4) this.reheap();
  }

  /** Returns whether a transaction pays no more than the worst of each heap. */
  isUnderpriced(entry: PoolEntry): boolean {
    const [urgent, floating] = [firstOf(this.#urgent), firstOf(this.#floating)];
    if (urgent === undefined && floating === undefined) return false;
    return (
      (urgent === undefined || byTip(urgent, entry, this.#baseFee()) >= 0) &&
      (floating === undefined || byFeeCap(floating, entry) >= 0)
    );
  }

  /** Removes the worst transactions until they free `slots`. Returns undefined if all together do not. */
  discard(slots: number): PoolEntry[] | undefined {
    const dropped: PoolEntry[] = [];
    let left = slots;
    while (left > 0) {
      const [urgent, floating] = [firstOf(this.#urgent), firstOf(this.#floating)];
      if (urgent !== undefined && this.#urgent.size * FLOATING_SHARE > this.#floating.size * URGENT_SHARE) {
        this.#urgent.pop();
        this.#floating.push(urgent);
      } else if (floating !== undefined) {
        this.#floating.pop();
        dropped.push(floating);
        left -= floating.slots;
      } else {
        for (const entry of dropped) this.#urgent.push(entry);
        return undefined;
      }
    }
    return dropped;
  }

  /** Rebuilds both heaps from the pool, after a change of the base fee. */
  reheap(): void {
    this.#urgent = this.#emptyUrgent();
    this.#floating = emptyFloating();
    for (const entry of this.#lookup.all()) this.#urgent.push(entry);
    const share = Math.floor((this.#urgent.size * FLOATING_SHARE) / (URGENT_SHARE + FLOATING_SHARE));
    for (let count = 0; count < share; count++) {
      const moved = this.#urgent.pop();
      if (moved !== undefined) this.#floating.push(moved);
    }
  }

  #emptyUrgent(): Heap<PoolEntry> {
    const baseFee = this.#baseFee();
    return new Heap(before((one, other) => byTip(one, other, baseFee)));
  }
}

const emptyFloating = (): Heap<PoolEntry> => new Heap(before(byFeeCap));

/** Returns the worst transaction that is still in the pool. */
function firstOf(heap: Heap<PoolEntry>): PoolEntry | undefined {
  while (heap.top !== undefined && heap.top.subPool === undefined) heap.pop();
  return heap.top;
}

/** Among equal prices the higher nonce comes first. */
function before(compared: (one: PoolEntry, other: PoolEntry) => number) {
  return (one: PoolEntry, other: PoolEntry): boolean => {
    const difference = compared(one, other);
    return difference === 0 ? one.transaction.nonce > other.transaction.nonce : difference < 0;
  };
}

/** Compares by effective tip, then fee cap, then tip cap. Negative: the first pays less. */
function byTip(one: PoolEntry, other: PoolEntry, baseFee: bigint): number {
  return compare(effectiveTip(one, baseFee), effectiveTip(other, baseFee)) || byFeeCap(one, other);
}

/** Compares by fee cap, then tip cap. */
function byFeeCap({ transaction: one }: PoolEntry, { transaction: other }: PoolEntry): number {
  return compare(one.maxFeePerGas, other.maxFeePerGas) || compare(one.maxPriorityFeePerGas, other.maxPriorityFeePerGas);
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
