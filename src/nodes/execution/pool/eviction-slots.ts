import type { Contents } from './contents.ts';
import type { PoolEntry } from './entry.ts';
import { Candidates, type Eviction, effectiveTip } from './eviction.ts';
import { refuse } from './refusal.ts';
import type { SenderQueue } from './sender.ts';
import type { PoolSettings, SlotLimits } from './settings.ts';
import type { PoolView } from './view.ts';

/**
 * op-geth's limits. All transactions together take no more slots than there are: a better paid one drives out the cheapest. Of executable ones
 * the accounts with the most give theirs up, of those behind a gap the accounts that have waited longest.
 */
export function slotEviction(
  contents: Contents,
  limits: SlotLimits,
  settings: PoolSettings,
  view: () => PoolView,
): Eviction {
  const cheapest = new Candidates(contents, (one, other) => {
    const difference = comparePrices(one, other, view().baseFee);
    return difference === 0 ? one.transaction.nonce > other.transaction.nonce : difference < 0;
  });

  function makeRoom(entry: PoolEntry): void {
    const replaced = contents.senders.get(entry.key)?.find(entry.transaction.nonce);
    let excess = contents.slots + entry.slots - (replaced?.slots ?? 0) - (limits.globalSlots + limits.globalQueue);
    if (excess <= 0) return;
    const worst = cheapest.first;
    if (worst === undefined || comparePrices(worst, entry, view().baseFee) >= 0) refuse({ kind: 'underpriced' });
    const drop: PoolEntry[] = [];
    while (excess > 0) {
      const next = cheapest.takeFirst();
      if (next === undefined) break;
      drop.push(next);
      if (next !== replaced) excess -= next.slots;
    }
    if (isGapped(entry) && drop.some((dropped) => dropped !== replaced && dropped.place === 'pending')) {
      for (const spared of drop) cheapest.add(spared);
      refuse({ kind: 'gapped replaces pending' });
    }
    for (const dropped of drop) if (dropped !== replaced) contents.remove(dropped);
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
    entered: (entry) => cheapest.add(entry),
    promoted() {},
    newBaseFee: () => cheapest.forget(),
    expired: (now) =>
      [...contents.senders.values()]
        .filter(({ beat }) => beat !== undefined && now - beat > settings.lifetime)
        .flatMap((queue) => queue.queued()),
  };
}

/** Below zero where the first pays less: by what the next block's builder gets, then by fee cap, then by tip. */
function comparePrices(one: PoolEntry, other: PoolEntry, baseFee: bigint): number {
  return (
    compare(effectiveTip(one, baseFee), effectiveTip(other, baseFee)) ||
    compare(one.transaction.maxFeePerGas, other.transaction.maxFeePerGas) ||
    compare(one.transaction.maxPriorityFeePerGas, other.transaction.maxPriorityFeePerGas)
  );
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
