import { bytesToHex } from '../../../protocol/hex.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { JournalTransaction, StateChange } from '../chain/block.ts';
import type { SlotChain } from '../chain/chain.ts';
import type { Journal, JournalChain } from '../chain/journal.ts';
import type { Anvil, FetchedBlock } from './anvil-types.ts';
import type { KeptState } from './saved-state.ts';

/** Journal, blob store and chain in memory, always with the same blocks. */
export interface ChainStore {
  readonly chain: SlotChain;
  /** Adds a block on top of the head. */
  add(fetched: FetchedBlock): void;
  /** Adds a change of the state after the head. */
  change(change: StateChange): void;
  /** Count of the changes after the head. */
  readonly changes: number;
  /** Removes the blocks above `number`, and all but the first `changes` changes after it. Default: it keeps these. */
  rollback(number: number, changes?: number): void;
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
  const stored = journal.read();
  for (const block of stored.blocks) chain.push(block);
  /** Counts of the changes after each block. */
  const changes = stored.changes.map(({ length }) => length);
  /** The process of L1 that had every block of the journal; undefined for none. */
  let inStepWith: string | undefined;

  function add({ block, blobTransactions }: FetchedBlock): void {
    for (const [hash, raw] of blobTransactions)
      if (!journal.blobTransactions.has(hash)) journal.blobTransactions.put(hash, raw);
    journal.append(block);
    chain.push(block);
    changes[block.number] = 0;
  }

  function change(made: StateChange): void {
    journal.change(made);
    changes[chain.head.number] = changesAfter(chain.head.number) + 1;
  }

  function changesAfter(number: number): number {
    return changes[number] ?? 0;
  }

  // anvil that rolls blocks back keeps what was changed after the block that is the head then.
  function rollback(number: number, most = Number.POSITIVE_INFINITY): void {
    const left = Math.min(most, changesAfter(number));
    const hasFewer = left < changesAfter(number);
    if (chain.head.number <= number && !hasFewer) return;
    // The next L1 would begin with blocks, or changes, that the journal lacks.
    kept.dropAbove(hasFewer ? number - 1 : number);
    journal.rollback(number, left);
    chain.rollback(number);
    changes.splice(number, Number.POSITIVE_INFINITY, left);
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
    const isReorganised = chain.head.number > common;
    rollback(common);
    for (let number = common + 1; number <= head; number++) {
      const fetched = await anvil.block(number);
      if (fetched === null || fetched.block.parentHash !== chain.head.hash) return;
      add(fetched);
    }
    if (isReorganised) await settle(anvil, head);
  }

  /**
   * Makes the next block independent of the blocks that are gone.
   * An account that a transaction of the pool reads comes into anvil's state, also where the transaction does not fit.
   * A new anvil lacks that account.
   */
  async function settle(anvil: Anvil, head: number): Promise<void> {
    await anvil.setNextBaseFee(head);
    const refused = await anvil.checkPool();
    if (refused.length > 0)
      log.warn('Transactions that wait on L1 no longer fit since its reorganisation', {
        refused: refused.map(({ hash, reason }) => `${hash}: ${reason}`),
      });
  }

  /** Makes changes of the state again. */
  async function changeAgain(anvil: Anvil, all: readonly StateChange[] = []): Promise<void> {
    for (const each of all)
      await anvil.change(each).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
        log.warn('L1 rejected a change of its state when it was made again', { method: each.method, error });
      });
  }

  async function replay(
    anvil: Anvil,
    { blocks, changes: all }: JournalChain,
    common: number,
    progress: (done: number) => void,
  ) {
    await changeAgain(anvil, all[common]);
    for (const [done, block] of blocks.slice(common).entries()) {
      progress(done);
      const made = await anvil.replay(block, block.parentHash, raw);
      if (made.block.hash === block.hash) {
        await changeAgain(anvil, all[block.number]);
        continue;
      }
      log.error('L1 block came out different when it was made again', {
        number: block.number,
        expected: block.hash,
        found: made.block.hash,
        refused: made.refused.map(({ hash, reason }) => `${hash}: ${reason}`),
        cause: 'state that another call than those of the gate made (anvil_loadState), another anvil or genesis',
        effect: 'L1 goes on from here as after a reorg, with the transactions that still fit',
      });
      return { made, rest: blocks.slice(block.number) };
    }
    return undefined;
  }

  return {
    chain,
    add,
    change,
    get changes() {
      return changesAfter(chain.head.number);
    },
    rollback,
    async reconcile(anvil, progress) {
      const instance = await anvil.instance();
      const isTheSame = instance === inStepWith;
      const isRolledBack = !isTheSame && (await anvil.restoreBlockHashes());
      const { common, head } = await compare(anvil);
      // The blocks that are made again are announced.
      if (isRolledBack && head === chain.head.number) chain.noteRollback();
      inStepWith = undefined;
      if (head > common || (isTheSame && head === common)) await takeOver(anvil, common, head);
      else await restore(anvil, common, progress);
      inStepWith = instance;
    },
  };

  async function restore(anvil: Anvil, common: number, progress: (done: number, of: number) => void): Promise<void> {
    const missing = chain.head.number - common;
    if (missing === 0 && changesAfter(common) === 0) return;
    const whole = journal.read();
    if (missing === 0) return changeAgain(anvil, whole.changes[common]);
    log.info('Making L1 blocks again from the journal', { from: common + 1, to: chain.head.number });
    const started = performance.now();
    const split = await replay(anvil, whole, common, (done) => progress(done, missing));
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
    const addAgain = async (made: FetchedBlock) => {
      add(made);
      for (const each of whole.changes[made.block.number] ?? []) change(each);
      await changeAgain(anvil, whole.changes[made.block.number]);
    };
    await addAgain(split.made);
    for (const block of split.rest) await addAgain(await anvil.replay(block, chain.head.hash, raw));
    await anvil.restorePool();
  }
}
