import { RpcError } from '../../../rpc/error.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { StateChange } from '../chain/block.ts';
import type { JournalChain } from '../chain/journal.ts';
import type { ChainStore } from './chain-store.ts';
import type { FetchedBlock, L1Chain, ReplayedBlock } from './l1-chain.ts';

/** Receives the number of blocks that L1 has again, and the number that it lacked. */
export type ReplayProgress = (done: number, of: number) => void;

/** Makes journal and L1 the same chain. */
export class ChainReconciler {
  readonly #store: ChainStore;
  readonly #l1: L1Chain;
  readonly #log: Logger;
  /** The process of L1 that had every block of the journal; undefined for none. */
  #instance: string | undefined;
  /** The process of L1 that began to get the missing blocks, until it has all of them. */
  #restored: string | undefined;

  constructor(store: ChainStore, l1: L1Chain, log: Logger) {
    this.#store = store;
    this.#l1 = l1;
    this.#log = log;
  }

  /**
   * Makes journal and L1 the same chain.
   * A shorter L1 was restarted and receives the missing blocks. If it is the process that had all of them before,
   * it was rolled back instead.
   * Other blocks of L1 were mined by another process, and the journal takes them over. A block that L1 made with
   * foreign transactions when the restoration broke off is none of these.
   */
  async reconcile(progress: ReplayProgress): Promise<void> {
    const { chain } = this.#store;
    const instance = await this.#l1.instance();
    const isTheSame = instance === this.#instance;
    const isRolledBack = !isTheSame && (await this.#l1.restoreBlockHashes());
    const compared = await this.#compare();
    const { common } = compared;
    const isBrokenOff = instance === this.#restored && compared.head > common;
    if (isBrokenOff) await this.#takeBack(compared.head);
    const head = isBrokenOff ? common : compared.head;
    // The blocks that are made again are announced.
    if (isRolledBack && head === chain.head.number) chain.noteRollback();
    this.#instance = undefined;
    this.#restored = undefined;
    if (head > common || (isTheSame && head === common)) await this.#takeOver(common, head);
    else {
      this.#restored = instance;
      await this.#restore(common, progress);
      this.#restored = undefined;
    }
    this.#instance = instance;
  }

  /** Returns the highest common block of L1 and the journal, and L1's head. */
  async #compare(): Promise<{ common: number; head: number }> {
    const { chain } = this.#store;
    const head = await this.#l1.head();
    let common = Math.min(head, chain.head.number);
    while (common > 0 && (await this.#l1.hash(common)) !== chain.block(common)?.hash) common--;
    return { common, head };
  }

  /** Takes the one block back with which a restoration broke off. Its transactions wait until L1 has its blocks. */
  async #takeBack(head: number): Promise<void> {
    const newest = await this.#l1.block(head);
    if (newest !== null) await this.#l1.takeBack(newest);
  }

  async #takeOver(common: number, head: number): Promise<void> {
    const { chain } = this.#store;
    const isReorganised = chain.head.number > common;
    if (isReorganised) this.#log.warn('L1 was reorganised', { common, from: chain.head.number, to: head });
    this.#store.rollback(common);
    for (let number = common + 1; number <= head; number++) {
      const fetched = await this.#l1.block(number);
      if (fetched === null || fetched.block.parentHash !== chain.head.hash) return;
      this.#store.add(fetched);
    }
    if (isReorganised) await this.#settle(head);
  }

  /**
   * Makes the next block independent of the blocks that are gone.
   * An account that a transaction of the pool reads comes into anvil's state, also if the transaction does not fit.
   * A new anvil lacks that account.
   */
  async #settle(head: number): Promise<void> {
    await this.#l1.setNextBaseFee(head);
    const refused = await this.#l1.checkPool();
    if (refused.length > 0)
      this.#log.warn('Transactions that wait on L1 no longer fit since its reorganisation', {
        refused: refused.map(({ hash, reason }) => `${hash}: ${reason}`),
      });
  }

  /** Makes the missing blocks again. If one comes out different, the journal takes over L1's blocks from there. */
  async #restore(common: number, progress: ReplayProgress): Promise<void> {
    const { chain } = this.#store;
    const missing = chain.head.number - common;
    if (missing === 0 && this.#store.changesAfter(common) === 0) return;
    const journal = this.#store.read();
    if (missing === 0) return this.#changeAgain(journal.changes[common]);
    this.#log.info('Making L1 blocks again from the journal', { from: common + 1, to: chain.head.number });
    const started = performance.now();
    const fork = await this.#replay(journal, common, (done) => progress(done, missing));
    if (fork !== undefined) await this.#replayFork(journal, fork);
    await this.#l1.restorePool();
    if (fork === undefined)
      this.#log.info('L1 is where it was', {
        number: chain.head.number,
        hash: chain.head.hash,
        ms: Math.round(performance.now() - started),
      });
  }

  /** Makes the blocks after `common` again. Returns the first block that came out different. */
  async #replay(
    { blocks, changes }: JournalChain,
    common: number,
    progress: (done: number) => void,
  ): Promise<ReplayedBlock | undefined> {
    await this.#changeAgain(changes[common]);
    for (const [done, block] of blocks.slice(common).entries()) {
      progress(done);
      const replayed = await this.#l1.replay(block, block.parentHash, this.#store.raw);
      if (replayed.block.hash === block.hash) {
        await this.#changeAgain(changes[block.number]);
        continue;
      }
      this.#log.error('L1 block came out different when it was made again', {
        number: block.number,
        expected: block.hash,
        found: replayed.block.hash,
        refused: replayed.refused.map(({ hash, reason }) => `${hash}: ${reason}`),
        cause: 'state that another call than those of the gate made (anvil_loadState), another anvil or genesis',
        effect: 'L1 goes on from here as after a reorg, with the transactions that still fit',
      });
      return replayed;
    }
    return undefined;
  }

  /** Replaces the journal's blocks from `fork` on, and makes those after it again on top of it. */
  async #replayFork({ blocks, changes }: JournalChain, fork: ReplayedBlock): Promise<void> {
    const { number } = fork.block;
    this.#store.rollback(number - 1);
    const add = async (replayed: FetchedBlock) => {
      this.#store.add(replayed);
      const after = changes[replayed.block.number];
      for (const each of after ?? []) this.#store.change(each);
      await this.#changeAgain(after);
    };
    await add(fork);
    for (const block of blocks.slice(number))
      await add(await this.#l1.replay(block, this.#store.chain.head.hash, this.#store.raw));
  }

  /** Makes changes of the state again. */
  async #changeAgain(changes: readonly StateChange[] = []): Promise<void> {
    for (const change of changes)
      await this.#l1.change(change).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
        this.#log.warn('L1 rejected a change of its state when it was made again', { method: change.method, error });
      });
  }
}
