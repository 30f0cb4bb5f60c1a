import { bytesToHex } from '../../protocol/hex.ts';
import type { Logger } from '../../system/log.ts';
import type { Anvil, FetchedBlock } from './anvil.ts';
import type { JournalBlock, JournalTransaction } from './block.ts';
import type { SlotChain } from './chain.ts';
import type { Journal } from './journal.ts';
import type { KeptState } from './kept-state.ts';

/** Journal, blob store and chain in memory, always with the same blocks. */
export interface ChainStore {
  readonly chain: SlotChain;
  /** Adds a block on top of the head. */
  add(fetched: FetchedBlock): void;
  rollback(number: number): void;
  /**
   * Makes journal and L1 the same chain.
   * A shorter L1 was restarted and receives the missing blocks. Where it is the process that had all of them before,
   * it was rolled back instead.
   * Other blocks of L1 were mined by another process, and the journal takes them over.
   */
  reconcile(anvil: Anvil, progress: (done: number, of: number) => void): Promise<void>;
}

/** Creates the store of an opened journal, with the journal's blocks. */
export function chainStore(chain: SlotChain, journal: Journal, kept: KeptState, log: Logger): ChainStore {
  for (const block of journal.blocks()) chain.push(block);
  /** The process of L1 that had every block of the journal; undefined for none. */
  let inStepWith: string | undefined;

  function add({ block, blobTransactions }: FetchedBlock): void {
    for (const [hash, raw] of blobTransactions)
      if (!journal.blobTransactions.has(hash)) journal.blobTransactions.put(hash, raw);
    journal.append(block);
    chain.push(block);
  }

  function rollback(number: number): void {
    if (chain.head.number <= number) return;
    // The next L1 would begin with blocks that the journal lacks.
    kept.dropAbove(number);
    journal.rollback(number);
    chain.rollback(number);
  }

  /** Returns the network form of a journalled transaction. */
  function raw({ raw: known, hash }: JournalTransaction) {
    if (known !== undefined) return known;
    const stored = journal.blobTransactions.get(hash);
    return stored && bytesToHex(stored);
  }

  /** Returns the highest common block of L1 and the journal, and L1's head. */
  async function compare(anvil: Anvil): Promise<{ common: number; head: number }> {
    const head = await anvil.head();
    let common = Math.min(head, chain.head.number);
    while (common > 0 && (await anvil.hash(common)) !== chain.block(common)?.hash) common--;
    return { common, head };
  }

  async function takeOver(anvil: Anvil, common: number, head: number): Promise<void> {
    if (chain.head.number > common) log.warn('L1 was reorganised', { common, from: chain.head.number, to: head });
    rollback(common);
    for (let number = common + 1; number <= head; number++) {
      const fetched = await anvil.block(number);
      if (fetched === null || fetched.block.parentHash !== chain.head.hash) return;
      add(fetched);
    }
  }

  async function replay(anvil: Anvil, blocks: readonly JournalBlock[], progress: (done: number) => void) {
    for (const [done, block] of blocks.entries()) {
      progress(done);
      const made = await anvil.replay(block, block.parentHash, raw);
      if (made.block.hash === block.hash) continue;
      log.error('L1 block came out different when it was made again', {
        number: block.number,
        expected: block.hash,
        found: made.block.hash,
        refused: made.refused.map(({ hash, reason }) => `${hash}: ${reason}`),
        cause:
          'state without a transaction (anvil_setBalance, anvil_setCode, anvil_setStorageAt), another anvil or genesis',
        effect: 'L1 goes on from here as after a reorg, with the transactions that still fit',
      });
      return { made, rest: blocks.slice(done + 1) };
    }
    return undefined;
  }

  return {
    chain,
    add,
    rollback,
    async reconcile(anvil, progress) {
      const { common, head } = await compare(anvil);
      const instance = await anvil.instance();
      const wasTakenBack = instance === inStepWith && head === common;
      inStepWith = undefined;
      if (head > common || wasTakenBack || chain.head.number === common) await takeOver(anvil, common, head);
      else await restore(anvil, common, progress);
      inStepWith = instance;
    },
  };

  async function restore(anvil: Anvil, common: number, progress: (done: number, of: number) => void): Promise<void> {
    const missing = journal.blocks().slice(common);
    log.info('Making L1 blocks again from the journal', { from: common + 1, to: chain.head.number });
    const started = performance.now();
    const split = await replay(anvil, missing, (done) => progress(done, missing.length));
    if (split === undefined) {
      await anvil.restorePool();
      log.info('L1 is where it was', {
        number: chain.head.number,
        hash: chain.head.hash,
        ms: Math.round(performance.now() - started),
      });
      return;
    }
    rollback(split.made.block.number - 1);
    add(split.made);
    for (const block of split.rest) add(await anvil.replay(block, chain.head.hash, raw));
    await anvil.restorePool();
  }
}
