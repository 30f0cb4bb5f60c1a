import type { Contents } from './contents.ts';
import type { Place, PoolEntry } from './entry.ts';
import { Candidates, type Eviction, effectiveTip } from './eviction.ts';
import { isPrivileged } from './rules.ts';
import type { SenderQueue } from './sender.ts';
import type { PoolSettings, SubPoolLimits } from './settings.ts';
import type { PoolView } from './view.ts';

/**
 * op-reth's limits. A full pending pool gives up the worst paid of its senders' last transactions, a user's own after all others; the other two
 * give up what came last.
 */
export function subPoolEviction(
  contents: Contents,
  limits: SubPoolLimits,
  settings: PoolSettings,
  view: () => PoolView,
): Eviction {
  const worst = new Candidates(contents, (one, other) => {
    const privilege = isPrivileged(one, settings);
    if (privilege !== isPrivileged(other, settings)) return !privilege;
    const [tip, otherTip] = [effectiveTip(one, view().baseFee), effectiveTip(other, view().baseFee)];
    return tip === otherTip ? one.arrival > other.arrival : tip < otherTip;
  });

  const isOver = (place: Place) =>
    contents.usage[place].count > limits[place].count || contents.usage[place].bytes > limits[place].bytes;

  function shavePending(): void {
    for (let isComplete = false; isOver('pending'); ) {
      const next = worst.takeFirst();
      if (next === undefined) {
        if (isComplete) return;
        worst.forget();
        isComplete = true;
        continue;
      }
      const last = contents.senders.get(next.key)?.lastPending;
      if (next === last) contents.remove(next);
      const behind = contents.senders.get(next.key)?.lastPending;
      if (behind !== undefined) worst.add(behind);
    }
  }

  function shaveParked(place: 'basefee' | 'queued', touched: SenderQueue | undefined): void {
    while (isOver(place)) {
      const entry = touched?.lastParked(place) ?? latest(place)?.lastParked(place);
      if (entry === undefined) return;
      contents.remove(entry);
    }
  }

  function latest(place: Place): SenderQueue | undefined {
    let found: PoolEntry | undefined;
    for (const entry of contents.all())
      if (entry.place === place && (found === undefined || entry.arrival > found.arrival)) found = entry;
    return found === undefined ? undefined : contents.senders.get(found.key);
  }

  return {
    makeRoom() {},
    enforce(touched) {
      shavePending();
      shaveParked('basefee', touched);
      shaveParked('queued', touched);
    },
    entered() {},
    promoted: (entry) => worst.add(entry),
    newBaseFee: () => worst.forget(),
    expired: (now) =>
      [...contents.all()].filter(
        (entry) => entry.place !== 'pending' && now - entry.since > settings.lifetime && !isPrivileged(entry, settings),
      ),
  };
}
