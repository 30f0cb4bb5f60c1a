import type { AccountQueue } from './account-queue.ts';
import { type Eviction, EvictionQueue, effectiveTip } from './eviction.ts';
import type { HeadState } from './head-state.ts';
import type { TransactionLookup } from './lookup.ts';
import type { PoolEntry, SubPool } from './pooled-transaction.ts';
import type { PoolSettings, SubPoolLimits } from './settings.ts';
import { isPrivileged } from './validation.ts';

/**
 * op-reth's limits. A full pending pool gives up the worst paid of its senders' last transactions, a user's own after all others; the other two
 * give up what came last.
 */
export function subPoolEviction(
  lookup: TransactionLookup,
  limits: SubPoolLimits,
  settings: PoolSettings,
  head: () => HeadState,
): Eviction {
  const worst = new EvictionQueue(lookup, (one, other) => {
    const privilege = isPrivileged(one, settings);
    if (privilege !== isPrivileged(other, settings)) return !privilege;
    const [tip, otherTip] = [effectiveTip(one, head().baseFee), effectiveTip(other, head().baseFee)];
    return tip === otherTip ? one.arrival > other.arrival : tip < otherTip;
  });

  const isOver = (subPool: SubPool) =>
    lookup.usage[subPool].count > limits[subPool].count || lookup.usage[subPool].bytes > limits[subPool].bytes;

  function shavePending(): void {
    for (let isComplete = false; isOver('pending'); ) {
      const next = worst.takeFirst();
      if (next === undefined) {
        if (isComplete) return;
        worst.forget();
        isComplete = true;
        continue;
      }
      const last = lookup.accounts.get(next.key)?.lastPending;
      if (next === last) lookup.remove(next);
      const behind = lookup.accounts.get(next.key)?.lastPending;
      if (behind !== undefined) worst.add(behind);
    }
  }

  function shaveParked(subPool: 'basefee' | 'queued', touched: AccountQueue | undefined): void {
    while (isOver(subPool)) {
      const entry = touched?.lastParked(subPool) ?? latest(subPool)?.lastParked(subPool);
      if (entry === undefined) return;
      lookup.remove(entry);
    }
  }

  function latest(subPool: SubPool): AccountQueue | undefined {
    let found: PoolEntry | undefined;
    for (const entry of lookup.all())
      if (entry.subPool === subPool && (found === undefined || entry.arrival > found.arrival)) found = entry;
    return found === undefined ? undefined : lookup.accounts.get(found.key);
  }

  return {
    makeSpace() {},
    enforce(touched) {
      shavePending();
      shaveParked('basefee', touched);
      shaveParked('queued', touched);
    },
    entered() {},
    promoted: (entry) => worst.add(entry),
    newBaseFee: () => worst.forget(),
    expired: (now) =>
      [...lookup.all()].filter(
        (entry) =>
          entry.subPool !== 'pending' && now - entry.since > settings.lifetime && !isPrivileged(entry, settings),
      ),
  };
}
