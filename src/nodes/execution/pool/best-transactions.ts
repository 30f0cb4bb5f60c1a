import { effectiveGasPrice, type SignedTransaction } from '../transaction/transaction.ts';
import { Heap } from './heap.ts';
import type { PooledTransaction } from './pooled-transaction.ts';

/** A sender's transactions, the next one last. */
interface Line {
  readonly rest: PooledTransaction[];
  /** What the next one pays per gas, wei. */
  price: bigint;
}

/** Pending transactions in the order in which a block takes them: best tip first, then earliest; one sender's by nonce. */
export class BestTransactions {
  readonly #lines = new Heap<Line>((one, other) =>
    one.price === other.price ? one.rest.at(-1)!.arrival < other.rest.at(-1)!.arrival : one.price > other.price,
  );
  readonly #baseFee: bigint;

  constructor(accounts: readonly (readonly PooledTransaction[])[], baseFee: bigint) {
    this.#baseFee = baseFee;
    for (const list of accounts) this.#enter({ rest: [...list].reverse(), price: 0n });
  }

  /** The next transaction, still in place: then `take` or `skip` it. Those whose fee cap is below the base fee never come. */
  peek(): SignedTransaction | undefined {
    return this.#lines.top?.rest.at(-1)?.transaction;
  }

  /** Goes on to the same sender's next one. */
  take(): void {
    const line = this.#lines.pop();
    if (line === undefined) return;
    line.rest.pop();
    this.#enter(line);
  }

  /** Leaves this sender out for the rest of the block. */
  skip(): void {
    this.#lines.pop();
  }

  #enter(line: Line): void {
    const next = line.rest.at(-1)?.transaction;
    if (next === undefined || next.maxFeePerGas < this.#baseFee) return;
    line.price = effectiveGasPrice(next, this.#baseFee);
    this.#lines.push(line);
  }
}
