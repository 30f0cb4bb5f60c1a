import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { authorityOf, type SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition.ts';
import { Contents } from './contents.ts';
import type { PoolEntry, PooledTransaction } from './entry.ts';
import type { Eviction } from './eviction.ts';
import { slotEviction } from './eviction-slots.ts';
import { subPoolEviction } from './eviction-subpools.ts';
import type { PoolManners } from './manners.ts';
import { PoolRefusal, refuse } from './refusal.ts';
import type { SenderQueue } from './sender.ts';
import type { PoolSettings } from './settings.ts';
import type { PoolView } from './view.ts';

export type { PooledTransaction } from './entry.ts';

/** Where a transaction comes from. */
export interface Origin {
  /** Sent by a user of this node. */
  readonly local: boolean;
  /** What must hold for it to go into a block. */
  readonly condition?: TransactionCondition;
}

/** Transactions by sender, each sender's in order of nonce. */
export type BySender = ReadonlyMap<Hex, readonly SignedTransaction[]>;

/** Units in which a pool counts large transactions, bytes. */
const SLOT = 32 * 1024;

const USER: Origin = { local: true };

/**
 * Transactions that wait for a block. Those whose nonces follow the sender's are pending; those behind a gap are queued until it closes.
 * The pool of a node is its own: nothing is gossiped between execution clients, a verifier forwards to the sequencer.
 */
export class TransactionPool {
  readonly settings: PoolSettings;
  readonly manners: PoolManners;
  #view: PoolView;
  readonly #contents: Contents;
  readonly #eviction: Eviction;
  readonly #now: () => number;
  readonly #pendingListeners = new Set<(transaction: SignedTransaction) => void>();
  readonly #entryListeners = new Set<(entry: PoolEntry) => void>();
  #arrivals = 0;

  /** `now`: milliseconds of the clock by which queued transactions age. */
  constructor(view: PoolView, manners: PoolManners, settings: PoolSettings, now: () => number) {
    this.#view = view;
    this.manners = manners;
    this.settings = settings;
    this.#now = now;
    const { limits } = settings;
    this.#contents = new Contents(
      (entry, overdrawn) => manners.judge(entry, overdrawn, this.#view),
      limits.accountSlots,
      now,
    );
    this.#eviction =
      limits.kind === 'slots'
        ? slotEviction(this.#contents, limits, settings, () => this.#view)
        : subPoolEviction(this.#contents, limits, settings, () => this.#view);
  }

  /** Transactions in the pool. */
  get size(): number {
    return this.#contents.size;
  }

  /** How many are pending, and how many queued. */
  get counts(): { readonly pending: number; readonly queued: number } {
    const { pending, basefee, queued } = this.#contents.usage;
    return { pending: pending.count, queued: basefee.count + queued.count };
  }

  /** Calls back for each transaction that becomes pending. Returns the unsubscription. */
  onPending(listener: (transaction: SignedTransaction) => void): () => void {
    this.#pendingListeners.add(listener);
    return () => this.#pendingListeners.delete(listener);
  }

  /** Calls back for each transaction that enters. Returns the unsubscription. */
  onEntry(listener: (entry: PoolEntry) => void): () => void {
    this.#entryListeners.add(listener);
    return () => this.#entryListeners.delete(listener);
  }

  /** What a user's transaction must satisfy before it is even forwarded. @throws PoolRefusal */
  checkSubmission(transaction: SignedTransaction): void {
    this.#check(this.manners.submission, this.#entryOf(transaction, USER));
  }

  /** @throws PoolRefusal */
  add(transaction: SignedTransaction, origin: Origin = USER): void {
    const entry = this.#entryOf(transaction, origin);
    this.#check(this.manners.entry, entry);
    const old = this.#contents.senders.get(entry.key)?.find(transaction.nonce);
    if (old !== undefined && !this.manners.outbids(transaction, old.transaction, this.settings.priceBump))
      refuse({ kind: 'replacement underpriced' });
    this.#eviction.makeRoom(entry);
    this.#contents.insert(entry, this.#view);
    this.#eviction.entered(entry);
    const queue = this.#contents.senders.get(entry.key)!;
    const promoted = this.#settle(queue);
    if (entry.place === undefined) refuse({ kind: 'full' });
    if (queue.beat !== undefined && promoted.length > 0) queue.beat = this.#now();
    for (const listener of this.#entryListeners) listener(entry);
    this.#tell(promoted);
  }

  /** Follows the chain to a new head: what was included or can no longer run goes; what a reorganisation threw out comes back. */
  follow(view: PoolView, thrownOut: readonly SignedTransaction[]): void {
    this.#view = view;
    const reprice = ({ fixedCost, transaction }: PoolEntry) => fixedCost + view.extraFee(transaction);
    for (const queue of [...this.#contents.senders.values()]) {
      this.#contents.follow(queue, view, reprice);
      for (const entry of queue.entries()) if (this.manners.dropsAt(view, entry)) this.#contents.remove(entry);
    }
    this.#eviction.newBaseFee();
    this.#tell(this.#settle());
    for (const transaction of thrownOut) {
      try {
        this.add(transaction, { local: true });
      } catch (error) {
        if (!(error instanceof PoolRefusal)) throw error;
      }
    }
  }

  /** Takes a transaction out that turned out not to run. */
  drop(transaction: SignedTransaction): void {
    const entry = this.#contents.get(transaction.hash);
    if (entry === undefined) return;
    this.#contents.remove(entry);
    this.#tell(this.#settle());
  }

  /** Drops what has been queued for too long. Returns how many. */
  sweep(): number {
    const expired = this.#eviction.expired(this.#now());
    for (const entry of expired) this.#contents.remove(entry);
    return expired.length;
  }

  get(hash: Hex): SignedTransaction | undefined {
    return this.#contents.get(hash)?.transaction;
  }

  /** The condition under which a transaction of the pool may go into a block. */
  conditionOf(hash: Hex): TransactionCondition | undefined {
    return this.#contents.get(hash)?.condition;
  }

  /** The nonce that a sender's next transaction should have. */
  pendingNonce(address: Uint8Array): bigint {
    return this.#contents.senders.get(bytesToHex(address))?.nextNonce ?? this.#view.nonce(address);
  }

  /** All transactions, or one sender's. */
  content(sender?: Hex): { readonly pending: BySender; readonly queued: BySender } {
    const pending = new Map<Hex, SignedTransaction[]>();
    const queued = new Map<Hex, SignedTransaction[]>();
    const one = sender === undefined ? undefined : this.#contents.senders.get(sender);
    const queues = sender === undefined ? this.#contents.senders.values() : one === undefined ? [] : [one];
    for (const queue of queues) {
      if (queue.pendingCount > 0) pending.set(queue.key, queue.pending().map(transactionOf));
      if (queue.queuedCount > 0) queued.set(queue.key, queue.queued().map(transactionOf));
    }
    return { pending, queued };
  }

  /** Pending transactions by sender in order of nonce, for the block builder. */
  pending(): PooledTransaction[][] {
    const senders: PooledTransaction[][] = [];
    for (const queue of this.#contents.senders.values()) if (queue.pendingCount > 0) senders.push(queue.pending());
    return senders;
  }

  /** Every transaction, in the order in which they came. */
  entries(): PoolEntry[] {
    return [...this.#contents.all()].sort((one, other) => one.arrival - other.arrival);
  }

  #entryOf(transaction: SignedTransaction, { local, condition }: Origin): PoolEntry {
    let authorities: readonly Hex[] | undefined;
    const fixedCost = transaction.gasLimit * transaction.maxFeePerGas + transaction.value;
    return {
      transaction,
      arrival: this.#arrivals++,
      key: bytesToHex(transaction.sender),
      fixedCost,
      cost: fixedCost + this.#view.extraFee(transaction),
      slots: Math.ceil(transaction.raw.length / SLOT),
      get authorities() {
        authorities ??= authoritiesOf(transaction);
        return authorities;
      },
      condition,
      local,
      since: this.#now(),
      place: undefined,
    };
  }

  #check(checks: PoolManners['entry'], entry: PoolEntry): void {
    const entering = { entry, view: this.#view, settings: this.settings, contents: this.#contents };
    for (const check of checks) check(entering);
  }

  /** Drops what is over a limit. Returns what became pending and still is. */
  #settle(touched?: SenderQueue): readonly PoolEntry[] {
    const promoted = this.#contents.takePromoted();
    for (const entry of promoted) this.#eviction.promoted(entry);
    this.#eviction.enforce(touched);
    return promoted.filter(({ place }) => place === 'pending');
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
