import type { Logger } from '../../../system/log.ts';
import { type Chain, type HeadChange, signedTransactions } from '../chain/chain.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { PoolBehaviour } from './behaviour.ts';
import { headStateOf } from './head-state.ts';
import { openJournal } from './journal.ts';
import { TransactionPool } from './pool.ts';
import type { PoolSettings } from './settings.ts';

/** How a node runs its pool. */
export interface PoolOptions {
  readonly settings: PoolSettings;
  /** Where the transactions are kept across restarts, and after how many milliseconds that file is written anew. */
  readonly journal?: { readonly path: string; readonly rewriteAfter: number };
}

/** Blocks of a reorganisation whose transactions come back; a deeper one is taken as a rewind, as both real clients do. */
const MAX_DEPTH = 64;
/** Milliseconds between two looks for what has been queued for too long, at most. */
const SWEEP = 60_000;

/** A pool that follows a chain. */
export interface PoolService {
  readonly pool: TransactionPool;
  close(): void;
}

/** Opens the pool of a chain's head, with the transactions of its journal. @throws Failure `write` */
export function openPool(chain: Chain, behaviour: PoolBehaviour, options: PoolOptions, log: Logger): PoolService {
  const { settings, journal: kept } = options;
  const pool = new TransactionPool(headStateOf(chain), behaviour, settings, () => performance.now());
  const unsubscribe = chain.onHead((change) => pool.follow(headStateOf(chain), thrownOut(change, log)));
  const journal = kept === undefined ? undefined : openJournal(kept.path, pool, log);
  const sweep = () => {
    const dropped = pool.sweep();
    if (dropped > 0) log.debug('queued transactions dropped for their age', { dropped });
  };
  const timers = [setInterval(sweep, Math.min(SWEEP, Math.max(settings.lifetime / 2, 10)))];
  if (kept !== undefined && journal !== undefined) timers.push(setInterval(journal.rotate, kept.rewriteAfter));
  for (const timer of timers) timer.unref();
  return {
    pool,
    close() {
      unsubscribe();
      for (const timer of timers) clearInterval(timer);
      journal?.close();
    },
  };
}

/** Transactions of dropped blocks, oldest first. The pool refuses those that the new blocks have too. */
function thrownOut({ removed }: HeadChange, log: Logger): SignedTransaction[] {
  if (removed.length <= MAX_DEPTH) return [...removed].reverse().flatMap(signedTransactions);
  log.info('a reorganisation too deep for its transactions to come back', { blocks: removed.length });
  return [];
}
