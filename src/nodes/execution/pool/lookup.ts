import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { AccountQueue, type SelectSubPool } from './account-queue.ts';
import type { HeadState } from './head-state.ts';
import type { PoolEntry, SubPool } from './pooled-transaction.ts';

/** Use of a sub-pool. */
export interface Usage {
  count: number;
  /** Encoded bytes. */
  bytes: number;
}

/**
 * Indexes all pooled transactions by hash and by account, and counts each sub-pool.
 * geth's counterpart is `lookup` (core/txpool/legacypool).
 */
export class TransactionLookup {
  readonly accounts = new Map<Hex, AccountQueue>();
  readonly usage: Readonly<Record<SubPool, Usage>> = {
    pending: { count: 0, bytes: 0 },
    basefee: { count: 0, bytes: 0 },
    queued: { count: 0, bytes: 0 },
  };
  /** Accounts with more pending transactions than `guaranteed`. */
  readonly crowded = new Set<AccountQueue>();
  /** Sum of all slots of 32 KiB. */
  slots = 0;
  readonly #byHash = new Map<Hex, PoolEntry>();
  /** Number of pooled transactions in which an address authorizes a delegation. */
  readonly #authorizing = new Map<Hex, number>();
  #promoted: PoolEntry[] = [];
  readonly #selectSubPool: SelectSubPool;
  readonly #guaranteed: number;
  readonly #now: () => number;
  readonly #assign = (entry: PoolEntry, subPool: SubPool): void => {
    if (entry.subPool === subPool) return;
    this.#count(entry, -1);
    entry.subPool = subPool;
    this.#count(entry, 1);
    if (subPool === 'pending') this.#promoted.push(entry);
  };

  /** `guaranteed`: pending transactions that each account may always have. `now`: milliseconds of the pool's clock. */
  constructor(selectSubPool: SelectSubPool, guaranteed: number, now: () => number) {
    this.#selectSubPool = selectSubPool;
    this.#guaranteed = guaranteed;
    this.#now = now;
  }

  get size(): number {
    return this.#byHash.size;
  }

  get(hash: Hex): PoolEntry | undefined {
    return this.#byHash.get(hash);
  }

  /** Returns all transactions in order of arrival. */
  all(): IterableIterator<PoolEntry> {
    return this.#byHash.values();
  }

  /** Whether a pooled transaction delegates the code of this account. */
  isAuthority(key: Hex): boolean {
    return this.#authorizing.has(key);
  }

  /** Adds a transaction and replaces one of the same nonce. Its nonce must not have passed. */
  insert(entry: PoolEntry, head: HeadState): void {
    const { sender } = entry.transaction;
    let queue = this.accounts.get(entry.key);
    if (queue === undefined) {
      queue = new AccountQueue(entry.key, sender, head.nonce(sender), head.balance(sender));
      this.accounts.set(entry.key, queue);
    }
    const replaced = queue.put(entry, this.#assign);
    if (replaced !== undefined) this.#forget(replaced);
    this.#byHash.set(entry.transaction.hash, entry);
    this.slots += entry.slots;
    for (const key of entry.authorities) this.#authorizing.set(key, (this.#authorizing.get(key) ?? 0) + 1);
    this.#settle(queue);
  }

  remove(entry: PoolEntry): void {
    const queue = present(this.accounts.get(entry.key), 'account queue');
    queue.remove(entry, this.#assign);
    this.#forget(entry);
    this.#settle(queue);
  }

  /** Moves an account to the state of a new head. `reprice` returns a transaction's cost there. */
  moveAccount(queue: AccountQueue, head: HeadState, reprice: (entry: PoolEntry) => bigint): void {
    for (const entry of queue.move(head.nonce(queue.address), head.balance(queue.address), this.#assign))
      this.#forget(entry);
    for (const entry of queue.entries()) entry.cost = reprice(entry);
    this.#settle(queue);
  }

  /** Returns the transactions that became pending since the last call and still are, in that order. */
  takePromoted(): readonly PoolEntry[] {
    const promoted = this.#promoted.filter(({ subPool }) => subPool === 'pending');
    this.#promoted = [];
    return promoted;
  }

  #settle(queue: AccountQueue): void {
    if (queue.size === 0) this.accounts.delete(queue.key);
    else queue.settle(this.#selectSubPool, this.#assign);
    if (queue.queuedCount === 0) queue.beat = undefined;
    else queue.beat ??= this.#now();
    if (queue.pendingCount > this.#guaranteed) this.crowded.add(queue);
    else this.crowded.delete(queue);
  }

  /** Removes a transaction that already left its account queue from the indexes. */
  #forget(entry: PoolEntry): void {
    this.#byHash.delete(entry.transaction.hash);
    this.#count(entry, -1);
    entry.subPool = undefined;
    this.slots -= entry.slots;
    for (const key of entry.authorities) {
      const left = (this.#authorizing.get(key) ?? 1) - 1;
      if (left === 0) this.#authorizing.delete(key);
      else this.#authorizing.set(key, left);
    }
  }

  #count({ subPool, transaction }: PoolEntry, by: 1 | -1): void {
    if (subPool === undefined) return;
    this.usage[subPool].count += by;
    this.usage[subPool].bytes += by * transaction.raw.length;
  }
}
