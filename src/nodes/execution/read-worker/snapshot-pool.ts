import { fileSize } from '../../../system/folder.ts';
import { BlockCache, Chain } from '../chain/chain.ts';
import { defineChain } from '../chain/genesis.ts';
import { FLAVOURS } from '../flavours/index.ts';
import { ChainStore } from '../store/chain-store.ts';
import { openLog, openSnapshots, type Snapshots } from '../store/database.ts';
import { StateCache } from '../store/state-store.ts';
import type { ReadWorkerConfig } from './messages.ts';

/** Maximum concurrent requests. Others wait. */
const MOST = 16;
/** Maximum bytes of cached blocks. */
const BLOCKS = 16 * 1024 * 1024;

interface SubPool {
  readonly db: Snapshots;
  readonly store: ChainStore;
}

/**
 * Gives each request a snapshot of the chain, so that its response is consistent.
 * Blocks and state never change, so all requests share their caches.
 */
export class SnapshotPool {
  readonly #config: ReadWorkerConfig;
  readonly #definition;
  readonly #blocks = new BlockCache(BLOCKS);
  readonly #state = new StateCache();
  readonly #free: SubPool[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #log;
  #active = 0;
  #isPaused = false;
  #onQuiet = () => {};

  constructor(config: ReadWorkerConfig) {
    this.#config = config;
    this.#definition = defineChain(config.definition, config.file);
    this.#log = openLog(config.file);
  }

  /** Runs work on a snapshot of the chain. */
  async read<Result>(work: (chain: Chain) => Result | Promise<Result>): Promise<Result> {
    while (this.#isPaused || this.#active >= MOST) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active++;
    try {
      return await this.#readIn(this.#free.pop() ?? this.#open(), work);
    } finally {
      this.#active--;
      if (!this.#isPaused) this.#waiting.shift()?.();
      else if (this.#active === 0) this.#onQuiet();
    }
  }

  async #readIn<Result>(place: SubPool, work: (chain: Chain) => Result | Promise<Result>): Promise<Result> {
    place.db.take();
    try {
      return await work(this.#chainIn(place));
    } finally {
      place.db.letGo();
      this.#free.push(place);
    }
  }

  /** Checkpoints the write-ahead log. `quiet`: the log is above its limit and reads pause until `resume`. */
  async checkpoint(): Promise<'kept' | 'quiet'> {
    this.#log.checkpoint();
    if (this.#isPaused || fileSize(`${this.#config.file}-wal`) <= this.#config.maxWalBytes) return 'kept';
    this.#isPaused = true;
    if (this.#active > 0)
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve;
      });
    this.#log.checkpoint();
    return 'quiet';
  }

  resume(): void {
    this.#isPaused = false;
    for (const next of this.#waiting.splice(0)) next();
  }

  #chainIn({ store }: SubPool): Chain {
    const { flavour, isPruned, schedule } = this.#config;
    const kept = isPruned ? FLAVOURS[flavour].pruned : undefined;
    return new Chain(store, this.#definition, schedule, kept, this.#blocks);
  }

  #open(): SubPool {
    const db = openSnapshots(this.#config.file);
    return { db, store: new ChainStore(db, this.#state) };
  }
}
