import type { Hex } from '../../../protocol/types.ts';
import type { Chain, HeadChange } from '../chain/chain.ts';
import type { Limits } from '../limits.ts';
import type { TransactionPool } from '../pool/pool.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { LogFilter } from './logs.ts';
import { randomId } from './random-id.ts';

/** Maximum changes kept for a filter. */
const MAX_CHANGES = 10_000;

export interface Filter {
  readonly kind: 'logs' | 'blocks' | 'pending';
  /** For `pending`: whole transactions instead of hashes. */
  readonly full: boolean;
  /** For `logs`. */
  readonly filter?: LogFilter;
  /** For `logs` and `blocks`: head changes since the last poll. */
  heads: HeadChange[];
  /** For `pending`: transactions since the last poll. */
  transactions: SignedTransaction[];
  polled: number;
}

/** State of eth_newFilter and similar methods between polls. */
export class Filters {
  readonly #filters = new Map<string, Filter>();

  readonly #limits: Limits;

  constructor(chain: Chain, pool: TransactionPool, limits: Limits) {
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

  /** Returns the id of a new filter, or undefined where the limit is reached. */
  add(kind: Filter['kind'], options: { readonly filter?: LogFilter; readonly full?: boolean } = {}): Hex | undefined {
    this.#expire();
    if (this.#filters.size >= this.#limits.filters) return undefined;
    const id = randomId();
    const { filter, full = false } = options;
    const polled = performance.now();
    this.#filters.set(id, { kind, full, ...(filter && { filter }), heads: [], transactions: [], polled });
    return id;
  }

  get(id: string): Filter | undefined {
    this.#expire();
    const filter = this.#filters.get(id);
    if (filter !== undefined) filter.polled = performance.now();
    return filter;
  }

  #expire(): void {
    const oldest = performance.now() - this.#limits.filterLifetime;
    for (const [id, { polled }] of this.#filters) if (polled < oldest) this.#filters.delete(id);
  }

  remove(id: string): boolean {
    return this.#filters.delete(id);
  }
}
