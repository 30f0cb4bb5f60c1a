import type { Hex } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import { signedTransactions } from '../chain/block.ts';
import type { Chain, HeadChange } from '../chain/chain.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { PoolBehaviour } from './behaviour.ts';
import { headStateOf } from './head-state.ts';
import { type Journal, openJournal } from './journal.ts';
import { TransactionPool } from './pool.ts';
import type { PoolEntry } from './pooled-transaction.ts';
import type { PoolSettings } from './settings.ts';

/** Options of a node's pool. */
export interface PoolOptions {
  readonly settings: PoolSettings;
  /** File that persists the transactions, and milliseconds after which it is rewritten. */
  readonly journal?: { readonly path: string; readonly rewriteAfter: number };
}

/** Maximum depth of a reorg whose transactions return to the pool. Both clients treat a deeper one as a rewind. */
const MAX_REORG_DEPTH = 64;
/** Maximum milliseconds between two searches for expired transactions. */
const SWEEP_INTERVAL_MS = 60_000;

/** A pool that follows a chain. */
export interface PoolService {
  readonly pool: TransactionPool;
  /** Puts the transactions of an earlier moment of the chain in place. */
  replace(entries: readonly PoolEntry[]): void;
  /** Rewrites the journal with the transactions of the pool, so that it holds no others. */
  rewrite(): void;
  close(): void;
}

/**
 * Opens the pool of a chain's head, with the transactions of its journal (reth: `maintain_transaction_pool`).
 * @throws Failure `write`
 */
export function openPool(chain: Chain, behaviour: PoolBehaviour, options: PoolOptions, log: Logger): PoolService {
  const { settings, journal: journalOptions } = options;
  const pool = new TransactionPool(headStateOf(chain), behaviour, settings, () => performance.now());
  const unsubscribe = chain.onHead((change) => pool.reset(headStateOf(chain), reinject(change, log)));
  const isIncluded = (hash: Hex) => findTransaction(chain, hash) !== undefined;
  const sweep = () => {
    const dropped = pool.sweep();
    if (dropped > 0) log.debug('expired queued transactions dropped', { dropped });
  };
  const timers: NodeJS.Timeout[] = [];
  let journal: Journal | undefined;
  if (journalOptions !== undefined) {
    journal = openJournal(journalOptions.path, { pool, isIncluded, log });
    timers.push(setInterval(journal.rotate, journalOptions.rewriteAfter));
  }
  timers.push(setInterval(sweep, Math.min(SWEEP_INTERVAL_MS, Math.max(settings.lifetime / 2, 10))));
  for (const timer of timers) timer.unref();
  return {
    pool,
    replace(entries) {
      pool.replace(headStateOf(chain), entries);
      journal?.rotate();
    },
    rewrite: () => journal?.rotate(),
    close() {
      unsubscribe();
      for (const timer of timers) clearInterval(timer);
      journal?.close();
    },
  };
}

/** Returns the transactions of removed blocks, oldest first. The pool rejects those that the new blocks include. */
function reinject({ removed }: HeadChange, log: Logger): SignedTransaction[] {
  if (removed.length <= MAX_REORG_DEPTH) return [...removed].reverse().flatMap(signedTransactions);
  log.info('reorg too deep to pool its transactions again', { blocks: removed.length });
  return [];
}
