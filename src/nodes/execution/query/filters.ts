import { randomBytes } from 'node:crypto';
import type { Hex } from '../../../protocol/types.ts';
import type { Chain, HeadChange } from '../chain/chain.ts';
import type { TransactionPool } from '../pool/pool.ts';
import type { LogFilter } from './logs.ts';

/** Filters held at once, changes kept for one, and how long one lives unpolled. */
const MAX_FILTERS = 1000;
const MAX_CHANGES = 10_000;
const LIFETIME_MS = 5 * 60_000;

export interface Filter {
  readonly kind: 'logs' | 'blocks' | 'pending';
  /** Of kind `logs`. */
  readonly filter?: LogFilter;
  /** Head changes since the last poll, for `logs` and `blocks`. */
  heads: HeadChange[];
  /** Transaction hashes since the last poll, for `pending`. */
  hashes: Hex[];
  polled: number;
}

/** What eth_newFilter and its kin hold between two polls. */
export class Filters {
  readonly #filters = new Map<Hex, Filter>();

  constructor(chain: Chain, pool: TransactionPool) {
    chain.onHead((change) => {
      for (const filter of this.#filters.values())
        if (filter.kind !== 'pending' && filter.heads.length < MAX_CHANGES) filter.heads.push(change);
    });
    pool.onPending(({ hash }) => {
      for (const filter of this.#filters.values())
        if (filter.kind === 'pending' && filter.hashes.length < MAX_CHANGES) filter.hashes.push(hash);
    });
  }

  /** undefined where too many filters are held. */
  add(kind: Filter['kind'], filter?: LogFilter): Hex | undefined {
    const now = Date.now();
    for (const [id, held] of this.#filters) if (now - held.polled > LIFETIME_MS) this.#filters.delete(id);
    if (this.#filters.size >= MAX_FILTERS) return undefined;
    const id: Hex = `0x${randomBytes(16).toString('hex')}`;
    this.#filters.set(id, { kind, ...(filter === undefined ? {} : { filter }), heads: [], hashes: [], polled: now });
    return id;
  }

  get(id: Hex): Filter | undefined {
    const filter = this.#filters.get(id);
    if (filter !== undefined) filter.polled = Date.now();
    return filter;
  }

  remove(id: Hex): boolean {
    return this.#filters.delete(id);
  }
}
