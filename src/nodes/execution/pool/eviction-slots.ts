import type { Contents } from './contents.ts';
import type { PoolEntry } from './entry.ts';
import type { Eviction } from './eviction.ts';
import { PricedList } from './priced-list.ts';
import { refuse } from './refusal.ts';
import type { SenderQueue } from './sender.ts';
import type { PoolSettings, SlotLimits } from './settings.ts';
import type { PoolView } from './view.ts';

/**
 * op-geth's limits. All transactions together take no more slots than there are: a better paid one drives out the worst of the priced list. Of executable ones
 * the accounts with the most give theirs up, of those behind a gap the accounts that have waited longest.
 */
export function slotEviction(
  contents: Contents,
  limits: SlotLimits,
  settings: PoolSettings,
  view: () => PoolView,
): Eviction {
  const priced = new PricedList(contents, () => view().baseFee);

  function makeRoom(entry: PoolEntry): void {
    const excess = contents.slots + entry.slots - (limits.globalSlots + limits.globalQueue);
    if (excess <= 0) return;
    if (priced.isUnderpriced(entry)) refuse({ kind: 'underpriced' });
    const drop = priced.discard(excess);
    if (drop === undefined) refuse({ kind: 'full' });
    if (isGapped(entry) && drop.some(({ place }) => place === 'pending')) {
      for (const spared of drop) priced.put(spared);
      refuse({ kind: 'gapped replaces pending' });
    }
    for (const dropped of drop) contents.remove(dropped);
  }

  function isGapped({ key, transaction }: PoolEntry): boolean {
    const next = contents.senders.get(key)?.nextNonce ?? view().nonce(transaction.sender);
    return transaction.nonce > next;
  }

  function capQueue(queue: SenderQueue): void {
    if (queue.queuedCount <= limits.accountQueue) return;
    for (const entry of queue.queued().slice(limits.accountQueue).reverse()) contents.remove(entry);
  }

  function shavePending(): void {
    while (contents.usage.pending.count > limits.globalSlots) {
      let largest: SenderQueue | undefined;
      for (const queue of contents.crowded)
        if (largest === undefined || queue.pendingCount > largest.pendingCount) largest = queue;
      if (largest === undefined) return;
      contents.remove(largest.lastPending!);
    }
  }

  function truncateQueued(): void {
    let excess = contents.usage.queued.count - limits.globalQueue;
    if (excess <= 0) return;
    const waiting = [...contents.senders.values()].filter(({ queuedCount }) => queuedCount > 0);
    waiting.sort((one, other) => (one.beat ?? 0) - (other.beat ?? 0));
    for (const queue of waiting)
      for (const entry of queue.queued().reverse()) {
        if (excess-- <= 0) return;
        contents.remove(entry);
      }
  }

  return {
    makeRoom,
    enforce(touched) {
      if (touched === undefined) for (const queue of [...contents.senders.values()]) capQueue(queue);
      else capQueue(touched);
      shavePending();
      truncateQueued();
    },
    entered: (entry) => priced.put(entry),
    promoted() {},
    newBaseFee: () => priced.reheap(),
    expired: (now) =>
      [...contents.senders.values()]
        .filter(({ beat }) => beat !== undefined && now - beat > settings.lifetime)
        .flatMap((queue) => queue.queued()),
  };
}
