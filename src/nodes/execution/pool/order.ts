import { effectiveGasPrice, type SignedTransaction } from '../transaction/transaction.ts';
import type { PooledTransaction } from './pool.ts';

/** Pending transactions in the order in which a block takes them: best tip first, then earliest; one sender's by nonce. */
export class TipOrder {
  /** Binary heap of senders by their next transaction. */
  readonly #heap: PooledTransaction[][] = [];
  readonly #baseFee: bigint;

  constructor(senders: readonly (readonly PooledTransaction[])[], baseFee: bigint) {
    this.#baseFee = baseFee;
    for (const list of senders) this.#push([...list].reverse());
  }

  /** The next transaction, still in place: then `take` or `skip` it. Those whose fee cap is below the base fee never come. */
  peek(): SignedTransaction | undefined {
    for (let best = this.#heap[0]; best !== undefined; best = this.#heap[0]) {
      const { transaction } = best.at(-1)!;
      if (transaction.maxFeePerGas >= this.#baseFee) return transaction;
      this.skip();
    }
    return undefined;
  }

  /** Goes on to the same sender's next one. */
  take(): void {
    const best = this.#pop();
    best?.pop();
    if (best !== undefined && best.length > 0) this.#push(best);
  }

  /** Leaves this sender out for the rest of the block. */
  skip(): void {
    this.#pop();
  }

  #before(left: PooledTransaction[], right: PooledTransaction[]): boolean {
    const one = left.at(-1)!;
    const other = right.at(-1)!;
    const difference =
      effectiveGasPrice(one.transaction, this.#baseFee) - effectiveGasPrice(other.transaction, this.#baseFee);
    return difference === 0n ? one.arrival < other.arrival : difference > 0n;
  }

  #push(sender: PooledTransaction[]): void {
    const heap = this.#heap;
    let at = heap.push(sender) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(sender, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = sender;
  }

  #pop(): PooledTransaction[] | undefined {
    const heap = this.#heap;
    const best = heap[0];
    const last = heap.pop();
    if (best === undefined || last === undefined || heap.length === 0) return best;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#before(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#before(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return best;
  }
}
