import type { AccountQueue } from '../../pool/account-queue.ts';
import type { Eviction } from '../../pool/eviction.ts';
import type { HeadState } from '../../pool/head-state.ts';
import type { TransactionLookup } from '../../pool/lookup.ts';
import { reject } from '../../pool/pool-error.ts';
import type { PoolEntry } from '../../pool/pooled-transaction.ts';
import type { PoolSettings, SlotLimits } from '../../pool/settings.ts';
import { PricedList } from './priced-list.ts';

/**
 * Eviction of op-geth's legacypool: `runReorg`, `truncatePending`, `truncateQueue`.
 * Over the total of slots, a better paid transaction evicts the worst of the priced list. Over the pending limit, the
 * accounts with the most transactions lose theirs; over the queue limit, those queued longest.
 */
export function slotEviction(lookup: TransactionLookup, settings: PoolSettings, head: () => HeadState): Eviction {
  if (settings.limits.kind !== 'slots') throw new Error('expected the slot limits of op-geth');
  const limits: SlotLimits = settings.limits;
  const priced = new PricedList(lookup, () => head().baseFee);

  function makeSpace(entry: PoolEntry): void {
    const excess = lookup.slots + entry.slots - (limits.globalSlots + limits.globalQueue);
    if (excess <= 0) return;
    if (priced.isUnderpriced(entry)) reject({ kind: 'underpriced' });
    const drop = priced.discard(excess);
    if (drop === undefined) reject({ kind: 'full' });
    if (isGapped(entry) && drop.some(({ subPool }) => subPool === 'pending')) {
      for (const spared of drop) priced.put(spared);
      reject({ kind: 'gapped replaces pending' });
    }
    for (const dropped of drop) lookup.remove(dropped);
  }

  function isGapped({ key, transaction }: PoolEntry): boolean {
    const next = lookup.accounts.get(key)?.nextNonce ?? head().nonce(transaction.sender);
    return transaction.nonce > next;
  }

  function capQueue(queue: AccountQueue): void {
    if (queue.queuedCount <= limits.accountQueue) return;
    for (const entry of queue.queued().slice(limits.accountQueue).reverse()) lookup.remove(entry);
  }

  function truncatePending(): void {
    while (lookup.usage.pending.count > limits.globalSlots) {
      let largest: AccountQueue | undefined;
      for (const queue of lookup.crowded)
        if (largest === undefined || queue.pendingCount > largest.pendingCount) largest = queue;
      const last = largest?.lastPending;
      if (last === undefined) return;
      lookup.remove(last);
    }
  }

  function truncateQueued(): void {
    let excess = lookup.usage.queued.count - limits.globalQueue;
    if (excess <= 0) return;
    const waiting = [...lookup.accounts.values()].filter(({ queuedCount }) => queuedCount > 0);
    waiting.sort((one, other) => (one.beat ?? 0) - (other.beat ?? 0));
    for (const queue of waiting)
      for (const entry of queue.queued().reverse()) {
        if (excess-- <= 0) return;
        lookup.remove(entry);
      }
  }

  return {
    makeSpace,
    enforce(touched) {
      if (touched === undefined) for (const queue of [...lookup.accounts.values()]) capQueue(queue);
      else capQueue(touched);
      truncatePending();
      truncateQueued();
    },
    entered: (entry) => priced.put(entry),
    promoted() {},
    newBaseFee: () => priced.reheap(),
    expired: (now) =>
      [...lookup.accounts.values()]
        .filter(({ beat }) => beat !== undefined && now - beat > settings.lifetime)
        .flatMap((queue) => queue.queued()),
  };
}
