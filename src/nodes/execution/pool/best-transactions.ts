import { effectiveGasPrice, type SignedTransaction } from '../transaction/transaction.ts';
import { Heap } from './heap.ts';
import type { PooledTransaction } from './pooled-transaction.ts';

/** Transactions of a sender, the next one last. */
interface Line {
  readonly rest: PooledTransaction[];
  /** Effective gas price of the next transaction in wei. */
  price: bigint;
}

/**
 * Orders pending transactions for a block: best tip, then earliest; those of a sender by nonce.
 * Counterparts: `transactionsByPriceAndNonce` of geth (miner/ordering.go), `BestTransactions` of reth.
 */
export class BestTransactions {
  readonly #lines = new Heap<Line>((one, other) =>
    one.price === other.price ? one.rest.at(-1)!.arrival < other.rest.at(-1)!.arrival : one.price > other.price,
  );
  readonly #baseFee: bigint;

  constructor(accounts: readonly (readonly PooledTransaction[])[], baseFee: bigint) {
    this.#baseFee = baseFee;
    for (const list of accounts) this.#enter({ rest: [...list].reverse(), price: 0n });
  }

  /**
   * Returns the next transaction without removing it. Call `take` or `skip` for it.
   * Transactions with a fee cap below the base fee are left out.
   */
  peek(): SignedTransaction | undefined {
    return this.#lines.top?.rest.at(-1)?.transaction;
  }

  /** Moves on to the next transaction of the same sender. */
  take(): void {
    const line = this.#lines.pop();
    if (line === undefined) return;
    line.rest.pop();
    this.#enter(line);
  }

  /** Leaves out this sender for the rest of the block. */
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
