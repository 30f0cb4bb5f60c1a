import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import { PoolRefusal } from './errors.ts';
import { checkEntry, costOf, outbids, type PoolLimits, type PoolView } from './rules.ts';

export interface PooledTransaction {
  readonly transaction: SignedTransaction;
  /** Order of arrival. */
  readonly arrival: number;
  /** The most that it can cost its sender, wei, as of its entry. */
  readonly cost: bigint;
}

/** Transactions of one sender by nonce. */
type Account = Map<bigint, PooledTransaction>;

/**
 * Transactions that wait for a block. Those whose nonces follow the sender's are pending; those behind a gap are queued until it closes.
 * The pool of a node is its own: nothing is gossiped between execution clients, a verifier forwards to the sequencer.
 */
export class TransactionPool {
  readonly limits: PoolLimits;
  #view: PoolView;
  readonly #accounts = new Map<Hex, Account>();
  readonly #byHash = new Map<Hex, PooledTransaction>();
  readonly #listeners = new Set<(transaction: SignedTransaction) => void>();
  #arrivals = 0;

  constructor(view: PoolView, limits: PoolLimits) {
    this.#view = view;
    this.limits = limits;
  }

  /** Calls back for each transaction that becomes pending. Returns the unsubscription. */
  onPending(listener: (transaction: SignedTransaction) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws PoolRefusal */
  add(transaction: SignedTransaction): void {
    if (this.#byHash.has(transaction.hash)) throw new PoolRefusal('already known');
    checkEntry(transaction, this.#view, this.limits);
    const key = bytesToHex(transaction.sender);
    const account = this.#accounts.get(key) ?? new Map<bigint, PooledTransaction>();
    const replaced = account.get(transaction.nonce);
    if (replaced !== undefined && !outbids(transaction, replaced.transaction, this.limits))
      throw new PoolRefusal('replacement transaction underpriced');
    this.#checkExpenditure(transaction, account);
    if (replaced === undefined) this.#makeRoom(transaction, account);
    const pendingBefore = this.#pendingOf(key).length;
    if (replaced !== undefined) this.#byHash.delete(replaced.transaction.hash);
    const pooled = { transaction, arrival: this.#arrivals++, cost: costOf(transaction, this.#view) };
    account.set(transaction.nonce, pooled);
    this.#accounts.set(key, account);
    this.#byHash.set(transaction.hash, pooled);
    const pending = this.#pendingOf(key);
    const from = replaced === undefined ? pendingBefore : pending.indexOf(pooled);
    if (from < 0) return;
    for (const entry of replaced === undefined ? pending.slice(from) : [pooled]) this.#announce(entry.transaction);
  }

  /** Follows the chain to a new head: what was included or can no longer run goes; what a reorganisation threw out comes back. */
  follow(view: PoolView, thrownOut: readonly SignedTransaction[]): void {
    this.#view = view;
    for (const [key, account] of this.#accounts) {
      for (const { transaction, cost } of account.values()) {
        const stale = transaction.nonce < view.nonce(transaction.sender);
        if (stale || view.balance(transaction.sender) < cost) this.#remove(key, account, transaction);
      }
    }
    for (const transaction of thrownOut) {
      try {
        this.add(transaction);
      } catch (error) {
        if (!(error instanceof PoolRefusal)) throw error;
      }
    }
  }

  /** Takes a transaction out that turned out not to run. */
  drop(transaction: SignedTransaction): void {
    const key = bytesToHex(transaction.sender);
    const account = this.#accounts.get(key);
    if (account?.get(transaction.nonce)?.transaction.hash === transaction.hash) this.#remove(key, account, transaction);
  }

  get(hash: Hex): SignedTransaction | undefined {
    return this.#byHash.get(hash)?.transaction;
  }

  /** The nonce that a sender's next transaction should have. */
  pendingNonce(address: Uint8Array): bigint {
    const last = this.#pendingOf(bytesToHex(address)).at(-1);
    return last === undefined ? this.#view.nonce(address) : last.transaction.nonce + 1n;
  }

  /** All transactions by sender, each in order of nonce. */
  content(): {
    readonly pending: ReadonlyMap<Hex, SignedTransaction[]>;
    readonly queued: ReadonlyMap<Hex, SignedTransaction[]>;
  } {
    const pending = new Map<Hex, SignedTransaction[]>();
    const queued = new Map<Hex, SignedTransaction[]>();
    for (const [key, account] of this.#accounts) {
      const ready = this.#pendingOf(key);
      const waiting = [...account.values()].filter((entry) => !ready.includes(entry)).sort(byNonce);
      if (ready.length > 0)
        pending.set(
          key,
          ready.map(({ transaction }) => transaction),
        );
      if (waiting.length > 0)
        queued.set(
          key,
          waiting.map(({ transaction }) => transaction),
        );
    }
    return { pending, queued };
  }

  /** Pending transactions by sender in order of nonce, for the block builder. */
  pending(): PooledTransaction[][] {
    return [...this.#accounts.keys()].map((key) => this.#pendingOf(key)).filter((list) => list.length > 0);
  }

  #announce(transaction: SignedTransaction): void {
    for (const listener of this.#listeners) listener(transaction);
  }

  #pendingOf(key: Hex): PooledTransaction[] {
    const account = this.#accounts.get(key);
    const first = account?.values().next().value;
    if (account === undefined || first === undefined) return [];
    const list: PooledTransaction[] = [];
    for (let nonce = this.#view.nonce(first.transaction.sender); ; nonce++) {
      const entry = account.get(nonce);
      if (entry === undefined) return list;
      list.push(entry);
    }
  }

  /** All of an account's transactions together must be affordable. */
  #checkExpenditure(transaction: SignedTransaction, account: Account): void {
    const cost = costOf(transaction, this.#view);
    let queued = 0n;
    for (const [nonce, entry] of account) if (nonce !== transaction.nonce) queued += entry.cost;
    const balance = this.#view.balance(transaction.sender);
    if (balance < queued + cost)
      throw new PoolRefusal(
        'insufficient funds for gas * price + value',
        `balance ${balance}, queued cost ${queued}, tx cost ${cost}, overshot ${queued + cost - balance}`,
      );
  }

  /** Room under the limits; in a full pool the cheapest queued transaction gives way to a better one. */
  #makeRoom(transaction: SignedTransaction, account: Account): void {
    if (account.size >= this.limits.perAccount)
      throw new PoolRefusal('account limit exceeded', `pooled ${account.size} txs`);
    if (this.#byHash.size < this.limits.total) return;
    let cheapest: PooledTransaction | undefined;
    for (const list of this.content().queued.values())
      for (const queued of list) {
        const entry = this.#byHash.get(queued.hash)!;
        if (cheapest === undefined || queued.maxPriorityFeePerGas < cheapest.transaction.maxPriorityFeePerGas)
          cheapest = entry;
      }
    if (cheapest === undefined || cheapest.transaction.maxPriorityFeePerGas >= transaction.maxPriorityFeePerGas)
      throw new PoolRefusal('txpool is full');
    this.drop(cheapest.transaction);
  }

  #remove(key: Hex, account: Account, transaction: SignedTransaction): void {
    account.delete(transaction.nonce);
    this.#byHash.delete(transaction.hash);
    if (account.size === 0) this.#accounts.delete(key);
  }
}

function byNonce(left: PooledTransaction, right: PooledTransaction): number {
  return left.transaction.nonce < right.transaction.nonce ? -1 : 1;
}
