import type { Hex } from '../../../protocol/types.ts';
import type { Chain, HeadChange } from '../chain/chain.ts';
import type { TransactionPool } from '../pool/pool.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { QueryLimits } from './context.ts';
import type { LogFilter } from './logs.ts';
import { randomId } from './random-id.ts';

/** Maximum changes kept for a filter. */
const MAX_CHANGES = 10_000;

type FilterLimits = Pick<QueryLimits, 'filters' | 'filterLifetime'>;

type FilterSubject =
  | { readonly kind: 'logs'; readonly filter: LogFilter }
  | { readonly kind: 'blocks' }
  /** `full`: whole transactions instead of hashes. */
  | { readonly kind: 'pending'; readonly full: boolean };

/** An installed filter with its changes (reth: `ActiveFilter`). */
export type Filter = FilterSubject & {
  /** For `logs` and `blocks`: head changes since the last poll. */
  readonly heads: HeadChange[];
  /** For `pending`: transactions since the last poll. */
  readonly transactions: SignedTransaction[];
  polled: number;
};

/** State of eth_newFilter and similar methods between polls (geth: `FilterAPI`, reth: `EthFilter`). */
export class Filters {
  readonly #filters = new Map<string, Filter>();
  readonly #limits: FilterLimits;

  constructor(chain: Pick<Chain, 'onHead'>, pool: Pick<TransactionPool, 'onPending'>, limits: FilterLimits) {
    this.#limits = limits;
    chain.onHead((change) => {
      for (const filter of this.#filters.values())
        if (filter.kind !== 'pending' && filter.heads.length < MAX_CHANGES) filter.heads.push(change);
    });
    pool.onPending((transaction) => {
      for (const filter of this.#filters.values())
        if (filter.kind === 'pending' && filter.transactions.length < MAX_CHANGES)
          filter.transactions.push(transaction);
    });
  }

  /** Returns the id of a new filter, or undefined if the limit is reached. */
  add(subject: FilterSubject): Hex | undefined {
    this.#expire();
    if (this.#filters.size >= this.#limits.filters) return undefined;
    const id = randomId();
    this.#filters.set(id, { ...subject, heads: [], transactions: [], polled: performance.now() });
    return id;
  }

  get(id: string): Filter | undefined {
    this.#expire();
    const filter = this.#filters.get(id);
    if (filter !== undefined) filter.polled = performance.now();
    return filter;
  }

  /** Forgets all changes that were not polled: their blocks were removed. */
  forgetChanges(): void {
    for (const { heads, transactions } of this.#filters.values()) {
      heads.length = 0;
      transactions.length = 0;
    }
  }

  #expire(): void {
    const oldest = performance.now() - this.#limits.filterLifetime;
    for (const [id, { polled }] of this.#filters) if (polled < oldest) this.#filters.delete(id);
  }

  remove(id: string): boolean {
    return this.#filters.delete(id);
  }
}
