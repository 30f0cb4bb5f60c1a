import type { Hex } from '../../../protocol/types.ts';
import type { Chain, HeadChange } from '../chain/chain.ts';
import type { Limits } from '../limits.ts';
import type { TransactionPool } from '../pool/pool.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { LogFilter } from './logs.ts';
import { randomId } from './random-id.ts';

/** Changes kept for one filter. */
const MAX_CHANGES = 10_000;

export interface Filter {
  readonly kind: 'logs' | 'blocks' | 'pending';
  /** Whether whole transactions are wanted instead of their hashes; of kind `pending`. */
  readonly full: boolean;
  /** Of kind `logs`. */
  readonly filter?: LogFilter;
  /** Head changes since the last poll, for `logs` and `blocks`. */
  heads: HeadChange[];
  /** Transactions since the last poll, for `pending`. */
  transactions: SignedTransaction[];
  polled: number;
}

/** What eth_newFilter and its kin hold between two polls. */
export class Filters {
  readonly #filters = new Map<Hex, Filter>();

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

  /** undefined where too many filters are held. */
  add(kind: Filter['kind'], options: { readonly filter?: LogFilter; readonly full?: boolean } = {}): Hex | undefined {
    this.#expire();
    if (this.#filters.size >= this.#limits.filters) return undefined;
    const id = randomId();
    const { filter, full = false } = options;
    const polled = performance.now();
    this.#filters.set(id, { kind, full, ...(filter && { filter }), heads: [], transactions: [], polled });
    return id;
  }

  get(id: Hex): Filter | undefined {
    this.#expire();
    const filter = this.#filters.get(id);
    if (filter !== undefined) filter.polled = performance.now();
    return filter;
  }

  #expire(): void {
    const oldest = performance.now() - this.#limits.filterLifetime;
    for (const [id, { polled }] of this.#filters) if (polled < oldest) this.#filters.delete(id);
  }

  remove(id: Hex): boolean {
    return this.#filters.delete(id);
  }
}
