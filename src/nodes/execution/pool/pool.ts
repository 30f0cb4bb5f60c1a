import { blobGasOf } from '../../../protocol/execution/blob-gas.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { Sidecars } from '../transaction/sidecars.ts';
import { authorityOf, type SignedTransaction } from '../transaction/transaction.ts';
import type { AccountQueue } from './account-queue.ts';
import type { PoolBehaviour } from './behaviour.ts';
import type { TransactionCondition } from './condition/condition.ts';
import type { Eviction } from './eviction.ts';
import type { HeadState } from './head-state.ts';
import { TransactionLookup } from './lookup.ts';
import { PoolError, reject } from './pool-error.ts';
import type { PoolEntry, PooledTransaction } from './pooled-transaction.ts';
import { checkReplacement } from './replacement.ts';
import type { PoolSettings } from './settings.ts';

export type { PooledTransaction } from './pooled-transaction.ts';

/** Origin of a transaction (reth: `TransactionOrigin`). */
export interface Origin {
  /** Sent by a user of this node. */
  readonly local: boolean;
  /** Condition for its inclusion in a block. */
  readonly condition?: TransactionCondition;
}

/** Transactions by sender, those of a sender in order of nonce. */
export type BySender = ReadonlyMap<Hex, readonly SignedTransaction[]>;

/** Bytes of a slot, the unit of large transactions. */
const SLOT_BYTES = 32 * 1024;

const USER: Origin = { local: true };

/**
 * Pool of transactions for the next blocks (geth: `LegacyPool`, reth: `PoolInner`).
 * Transactions whose nonces follow the account's are pending, those behind a gap queued. Execution clients do not
 * gossip transactions: a verifier forwards them to the sequencer.
 */
export class TransactionPool {
  readonly settings: PoolSettings;
  readonly sidecars = new Sidecars();
  readonly behaviour: PoolBehaviour;
  #head: HeadState;
  readonly #lookup: TransactionLookup;
  readonly #eviction: Eviction;
  readonly #now: () => number;
  readonly #pendingListeners = new Set<(transaction: SignedTransaction) => void>();
  readonly #entryListeners = new Set<(entry: PoolEntry) => void>();
  #arrivals = 0;

  /** `now` returns milliseconds of the clock by which queued transactions expire. */
  constructor(head: HeadState, behaviour: PoolBehaviour, settings: PoolSettings, now: () => number) {
    this.#head = head;
    this.behaviour = behaviour;
    this.settings = settings;
    this.#now = now;
    const { limits } = settings;
    this.#lookup = new TransactionLookup(
      (entry, overdrawn) => behaviour.selectSubPool(entry, overdrawn, this.#head),
      limits.accountSlots,
      now,
    );
    this.#eviction = behaviour.eviction(this.#lookup, settings, () => this.#head);
  }

  /** Transactions in the pool. */
  get size(): number {
    return this.#lookup.size;
  }

  /** Number of pending and of queued transactions. */
  get counts(): { readonly pending: number; readonly queued: number } {
    const { pending, basefee, queued } = this.#lookup.usage;
    return { pending: pending.count, queued: basefee.count + queued.count };
  }

  /** Calls the listener for each transaction that becomes pending. Returns the unsubscription. */
  onPending(listener: (transaction: SignedTransaction) => void): () => void {
    this.#pendingListeners.add(listener);
    return () => this.#pendingListeners.delete(listener);
  }

  /** Calls the listener for each transaction that enters the pool. Returns the unsubscription. */
  onEntry(listener: (entry: PoolEntry) => void): () => void {
    this.#entryListeners.add(listener);
    return () => this.#entryListeners.delete(listener);
  }

  /** Checks a user's transaction before it is pooled or forwarded. @throws PoolError */
  checkSubmission(transaction: SignedTransaction): void {
    this.#validate(this.behaviour.submissionRules, this.#entryOf(transaction, USER));
  }

  /** Adds a transaction. @throws PoolError */
  add(transaction: SignedTransaction, origin: Origin = USER): void {
    const entry = this.#entryOf(transaction, origin);
    this.#validate(this.behaviour.entryRules, entry);
    if (transaction.type === 3 && this.sidecars.get(transaction.hash) === undefined)
      reject({ kind: 'blobs', why: 'missing sidecar in blob transaction' });
    const pooled = this.#lookup.accounts.get(entry.key)?.find(transaction.nonce)?.transaction;
    checkReplacement(this.behaviour, transaction, pooled, this.settings.priceBump);
    this.#eviction.makeSpace(entry);
    this.#lookup.insert(entry, this.#head);
    this.#eviction.entered(entry);
    const queue = present(this.#lookup.accounts.get(entry.key), 'account queue');
    const promoted = this.#settle(queue);
    if (entry.subPool === undefined) reject({ kind: 'full' });
    if (queue.beat !== undefined && promoted.length > 0) queue.beat = this.#now();
    for (const listener of this.#entryListeners) listener(entry);
    this.#tell(promoted);
  }

  /**
   * Moves the pool to a new head (geth: `LegacyPool.reset`, reth: `on_canonical_state_change`).
   * Included transactions and those that cannot run any more are dropped. Transactions of reorged blocks are added
   * again.
   */
  reset(head: HeadState, reinject: readonly SignedTransaction[]): void {
    this.#head = head;
    const reprice = ({ fixedCost, transaction }: PoolEntry) => fixedCost + head.extraFee(transaction);
    for (const queue of [...this.#lookup.accounts.values()]) {
      this.#lookup.moveAccount(queue, head, reprice);
      for (const entry of queue.entries()) if (this.behaviour.dropsAt(head, entry)) this.#lookup.remove(entry);
    }
    this.#eviction.newBaseFee();
    this.#tell(this.#settle());
    for (const transaction of reinject) {
      try {
        this.add(transaction, { local: true });
      } catch (error) {
        if (!(error instanceof PoolError)) throw error;
      }
    }
  }

  /** Replaces all transactions by those of an earlier moment, which are in order of arrival. `head`: that of then. */
  replace(head: HeadState, entries: readonly PoolEntry[]): void {
    for (const entry of this.entries()) this.#lookup.remove(entry);
    this.reset(head, []);
    for (const { transaction, local, condition } of entries) {
      try {
        this.add(transaction, { local, ...(condition === undefined ? {} : { condition }) });
      } catch (error) {
        if (!(error instanceof PoolError)) throw error;
      }
    }
  }

  /** Drops a transaction that the payload builder found invalid. */
  drop(transaction: SignedTransaction): void {
    const entry = this.#lookup.get(transaction.hash);
    if (entry === undefined) return;
    this.#lookup.remove(entry);
    this.#tell(this.#settle());
  }

  /** Drops expired transactions. Returns their number. */
  sweep(): number {
    const expired = this.#eviction.expired(this.#now());
    for (const entry of expired) this.#lookup.remove(entry);
    return expired.length;
  }

  get(hash: Hex): SignedTransaction | undefined {
    return this.#lookup.get(hash)?.transaction;
  }

  /** Returns the condition of a pooled transaction. */
  conditionOf(hash: Hex): TransactionCondition | undefined {
    return this.#lookup.get(hash)?.condition;
  }

  /** Returns the next nonce of an account, after its pooled transactions. */
  pendingNonce(address: Uint8Array): bigint {
    return this.#lookup.accounts.get(bytesToHex(address))?.nextNonce ?? this.#head.nonce(address);
  }

  /** Returns the transactions of all senders, or of one. */
  content(sender?: Hex): { readonly pending: BySender; readonly queued: BySender } {
    const pending = new Map<Hex, SignedTransaction[]>();
    const queued = new Map<Hex, SignedTransaction[]>();
    const { accounts } = this.#lookup;
    for (const queue of sender === undefined ? accounts.values() : [accounts.get(sender)]) {
      if (queue === undefined) continue;
      if (queue.pendingCount > 0) pending.set(queue.key, queue.pending().map(transactionOf));
      if (queue.queuedCount > 0) queued.set(queue.key, queue.queued().map(transactionOf));
    }
    return { pending, queued };
  }

  /** Returns pending transactions by sender in order of nonce, for the payload builder. */
  pending(): PooledTransaction[][] {
    const accounts: PooledTransaction[][] = [];
    for (const queue of this.#lookup.accounts.values()) if (queue.pendingCount > 0) accounts.push(queue.pending());
    return accounts;
  }

  /** Returns all transactions in order of arrival. */
  entries(): PoolEntry[] {
    return [...this.#lookup.all()];
  }

  #entryOf(transaction: SignedTransaction, { local, condition }: Origin): PoolEntry {
    let authorities: readonly Hex[] | undefined;
    const blobFee = blobGasOf(transaction) * (transaction.maxFeePerBlobGas ?? 0n);
    const fixedCost = transaction.gasLimit * transaction.maxFeePerGas + transaction.value + blobFee;
    return {
      transaction,
      arrival: this.#arrivals++,
      key: bytesToHex(transaction.sender),
      fixedCost,
      cost: fixedCost + this.#head.extraFee(transaction),
      slots: Math.ceil(transaction.raw.length / SLOT_BYTES),
      get authorities() {
        authorities ??= authoritiesOf(transaction);
        return authorities;
      },
      condition,
      local,
      since: this.#now(),
      subPool: undefined,
    };
  }

  #validate(rules: PoolBehaviour['entryRules'], entry: PoolEntry): void {
    const entering = { entry, head: this.#head, settings: this.settings, lookup: this.#lookup };
    for (const rule of rules) rule(entering);
  }

  /** Enforces the limits. Returns the transactions that became pending and still are. */
  #settle(touched?: AccountQueue): readonly PoolEntry[] {
    const promoted = this.#lookup.takePromoted();
    for (const entry of promoted) this.#eviction.promoted(entry);
    this.#eviction.enforce(touched);
    return promoted.filter(({ subPool }) => subPool === 'pending');
  }

  #tell(promoted: readonly PoolEntry[]): void {
    for (const { transaction } of promoted) for (const listener of this.#pendingListeners) listener(transaction);
  }
}

function transactionOf({ transaction }: PoolEntry): SignedTransaction {
  return transaction;
}

function authoritiesOf({ authorizationList }: SignedTransaction): Hex[] {
  const authorities = new Set<Hex>();
  for (const authorization of authorizationList) {
    const authority = authorityOf(authorization);
    if (authority !== undefined) authorities.add(bytesToHex(authority));
  }
  return [...authorities];
}
