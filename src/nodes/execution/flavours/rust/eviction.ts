import type { AccountQueue } from '../../pool/account-queue.ts';
import { type Eviction, EvictionQueue, effectiveTip } from '../../pool/eviction.ts';
import type { HeadState } from '../../pool/head-state.ts';
import type { TransactionLookup } from '../../pool/lookup.ts';
import type { PoolEntry, SubPool } from '../../pool/pooled-transaction.ts';
import type { PoolSettings } from '../../pool/settings.ts';
import { isPrivileged } from '../../pool/validation/validation.ts';

/**
 * Eviction of op-reth's pool (`reth-transaction-pool`, `discard_worst`).
 * A full pending sub-pool loses the worst paid of the senders' last transactions, those of local users after all
 * others. The other sub-pools lose the newest.
 */
export function subPoolEviction(lookup: TransactionLookup, settings: PoolSettings, head: () => HeadState): Eviction {
  const { limits } = settings;
  if (limits.kind !== 'subpools') throw new Error('expected the sub-pool limits of op-reth');
  const worst = new EvictionQueue(lookup, (one, other) => {
    const privilege = isPrivileged(one, settings);
    if (privilege !== isPrivileged(other, settings)) return !privilege;
    const [tip, otherTip] = [effectiveTip(one, head().baseFee), effectiveTip(other, head().baseFee)];
    return tip === otherTip ? one.arrival > other.arrival : tip < otherTip;
  });

  const isOver = (subPool: SubPool) =>
    lookup.usage[subPool].count > limits[subPool].count || lookup.usage[subPool].bytes > limits[subPool].bytes;

  function truncatePending(): void {
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
    let newest: PoolEntry | undefined;
    for (const entry of lookup.all())
      if (entry.subPool === subPool && (newest === undefined || entry.arrival > newest.arrival)) newest = entry;
    return newest === undefined ? undefined : lookup.accounts.get(newest.key);
  }

  return {
    makeSpace() {},
    enforce(touched) {
      truncatePending();
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
