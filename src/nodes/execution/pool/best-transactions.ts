import { effectiveGasPrice, type SignedTransaction } from '../transaction/transaction.ts';
import { Heap } from './heap.ts';
import type { PooledTransaction } from './pooled-transaction.ts';

/** best-tip: best tip, then earliest. sender: by address, which depends neither on tips nor on arrival. */
export type TransactionOrder = 'best-tip' | 'sender';

/** The transactions of a sender. */
interface Line {
  readonly next: PooledTransaction;
  /** Effective gas price of `next` in wei. */
  readonly price: bigint;
  /** Transactions after `next`, the lowest nonce last. */
  readonly rest: PooledTransaction[];
}

/**
 * Orders pending transactions for a block; those of a sender by nonce.
 * Counterparts: `TransactionsByPriceAndNonce` of geth (core/txpool/txorder), `transactionsByPriceAndNonce` of op-geth
 * (miner/ordering.go), `BestTransactions` of reth.
 */
export class BestTransactions {
  readonly #lines: Heap<Line>;
  readonly #baseFee: bigint;

  /** `order`: of the senders' next transactions. */
  constructor(
    accounts: readonly (readonly PooledTransaction[])[],
    baseFee: bigint,
    order: TransactionOrder = 'best-tip',
  ) {
    this.#lines = new Heap<Line>(order === 'sender' ? bySender : byPrice);
    this.#baseFee = baseFee;
    for (const list of accounts) this.#enter([...list].reverse());
  }

  /**
   * Returns the next transaction without removing it. Call `take` or `skip` for it.
   * Transactions with a fee cap below the base fee are left out.
   */
  peek(): SignedTransaction | undefined {
    return this.#lines.top?.next.transaction;
  }

  /** Moves on to the next transaction of the same sender. */
  take(): void {
    const line = this.#lines.pop();
    if (line !== undefined) this.#enter(line.rest);
  }

  /** Leaves out this sender for the rest of the block. */
  skip(): void {
    this.#lines.pop();
  }

  #enter(rest: PooledTransaction[]): void {
    const next = rest.pop();
    if (next === undefined || next.transaction.maxFeePerGas < this.#baseFee) return;
    this.#lines.push({ next, price: effectiveGasPrice(next.transaction, this.#baseFee), rest });
  }
}

function byPrice(one: Line, other: Line): boolean {
  return one.price === other.price ? one.next.arrival < other.next.arrival : one.price > other.price;
}

function bySender(one: Line, other: Line): boolean {
  return Buffer.compare(one.next.transaction.sender, other.next.transaction.sender) < 0;
}
