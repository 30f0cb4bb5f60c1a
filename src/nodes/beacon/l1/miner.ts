import { RpcError } from '../../../rpc/error.ts';
import type { Activity, Quiesce } from '../../../system/channel/quiesce.ts';
import { type Traces, traceTime } from '../../../system/channel/supervised-traces.ts';
import type { Logger } from '../../../system/program/log.ts';
import { type Clock, reach } from '../../../system/time/clock.ts';
import type { Mutex } from '../../../system/time/mutex.ts';
import { pause } from '../../../system/time/pause.ts';
import type { ChainStore } from './chain-store.ts';
import type { FetchedBlock, L1Chain } from './l1-chain.ts';
import type { Stall } from './stall.ts';

/** Parts that the miner drives, and its settings. */
export interface MinerOptions {
  readonly l1: L1Chain;
  readonly store: ChainStore;
  /** Makes L1 and the store the same chain. */
  readonly reconcile: () => Promise<void>;
  /** Runs work that reads or changes both. */
  readonly runExclusive: Mutex;
  readonly clock: Clock & Pick<Quiesce, 'report'>;
  /** Busy but for the waits for the next slot. */
  readonly activity: Activity;
  readonly log: Logger;
  /** Order of the transactions of a block. */
  readonly order: 'arrival' | 'sender';
  /** Maximum number of missed slots that still get a block. */
  readonly maxCatchUp: number;
  /** Slots that stay empty. */
  readonly stall: Stall;
  readonly signal: AbortSignal;
  /** Takes the time that each block took. */
  readonly traces: Traces;
}

/** Returns the slot of the next block: the one after the head's, or the first of the last `maxCatchUp` slots. */
export function nextSlot(headSlot: number, currentSlot: number, maxCatchUp: number): number {
  return Math.max(headSlot + 1, currentSlot - Math.max(maxCatchUp, 1) + 1);
}

/**
 * Mines one block per slot at the slot's time until aborted (op-e2e: `FakePoS`).
 * @throws TransportError if L1 does not answer
 */
export async function mineSlots(options: MinerOptions): Promise<void> {
  const { l1, store, reconcile, runExclusive, clock, activity, log, order, maxCatchUp, stall, signal, traces } =
    options;
  const { chain } = store;
  reportHead(options);
  const next = () =>
    nextSlot(Math.max(chain.headSlot, stall.lastSlot(chain)), chain.slotAt(clock.now() / 1000), maxCatchUp);
  while (!signal.aborted) {
    const waited = next();
    const { changed } = stall;
    if (chain.timeOf(waited) * 1000 > clock.now()) activity.idle();
    if (!(await reach(clock, chain.timeOf(waited) * 1000, AbortSignal.any([signal, changed])))) continue;
    activity.busy();
    // The machine may have slept, or the clock may have moved, during the wait.
    const slot = next();
    if (chain.timeOf(slot) * 1000 > clock.now()) continue;
    const before = chain.headSlot;
    try {
      if (order === 'sender') await l1.orderPool();
      await runExclusive(async () => {
        // A stall that began meanwhile holds for this slot, too.
        if (stall.lastSlot(chain) < slot) await mineSlot(l1, store, reconcile, { slot, log, traces });
      });
      const skipped = slot - before - 1;
      if (skipped > 0 && chain.headSlot === slot)
        log.warn('Slots were missed and stay empty', { from: before + 1, slots: skipped });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      log.warn('L1 refused the block of a slot, which is tried again', { slot, error });
      await runExclusive(reconcile);
      if (chain.headSlot < slot) await pause(1000, signal);
    }
  }
}

/** Begins the reports of the head that other processes must know before a step ends: none before L1 announced it. */
function reportHead({ clock, store: { chain } }: MinerOptions): void {
  clock.report(() => ({
    kind: 'beacon',
    l1: chain.isHeadAnnounced ? chain.head.hash : undefined,
    number: chain.head.number,
  }));
}

/**
 * Mines a block on the store's head. L1's head is checked first.
 * L1 may have been restarted or reorganised since the last slot, and a block on another head would fix that state.
 */
async function mineSlot(
  l1: L1Chain,
  store: ChainStore,
  reconcile: () => Promise<void>,
  { slot, log, traces }: { readonly slot: number; readonly log: Logger; readonly traces: Traces },
): Promise<void> {
  const { chain } = store;
  const from = traceTime();
  const time = chain.timeOf(slot);
  if ((await l1.headHash()) !== chain.head.hash) await reconcile();
  if (chain.head.timestamp >= time) return;
  const newest = await mineWithout(l1, time);
  if (newest.block.parentHash !== chain.head.hash) {
    await l1.takeBack(newest);
    await reconcile();
    await l1.restorePool();
    return;
  }
  store.add(newest);
  const { number, hash, transactions } = newest.block;
  log.debug('Made L1 block', { number, hash, slot: chain.headSlot, transactions: transactions.length });
  const mark = { from, to: traceTime(), number, parent: newest.block.parentHash, transactions: transactions.length };
  traces.mark({ mark: 'l1', of: hash, ...mark });
}

/** Blocks that are made anew because a transaction came between the faults of the pool and the block. */
const MAX_ATTEMPTS = 10;

/** Mines a block without the transactions that the faults of the pool are for. */
async function mineWithout(l1: L1Chain, time: number): Promise<FetchedBlock> {
  const { faults } = l1;
  try {
    for (let attempt = 1; ; attempt++) {
      await faults.before(time * 1000);
      const newest = await l1.mine(time);
      if (attempt === MAX_ATTEMPTS || !(await faults.concerns(newest.block.transactions))) return newest;
      await l1.takeBack(newest);
      await l1.restorePool();
    }
  } finally {
    await faults.after();
  }
}

/** Follows the blocks that L1 mines by itself until aborted. @throws TransportError if L1 does not answer */
export async function followHead(options: MinerOptions, intervalMs: number): Promise<void> {
  const { l1, store, reconcile, runExclusive, activity, signal } = options;
  reportHead(options);
  while (!signal.aborted) {
    if ((await l1.headHash()) !== store.chain.head.hash) await runExclusive(reconcile);
    activity.idle();
    await pause(intervalMs, signal);
    activity.busy();
  }
}
