import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { JournalTransaction, StateChange } from '../chain/block.ts';
import type { SlotChain } from '../chain/chain.ts';
import type { Journal, JournalChain } from '../chain/journal.ts';
import type { FetchedBlock, L1StateFile } from './l1-chain.ts';

/** Journal, blob store and chain in memory, always with the same blocks. */
export class ChainStore {
  readonly chain: SlotChain;
  readonly #journal: Journal;
  readonly #stateFile: Pick<L1StateFile, 'dropAbove'>;
  /** Counts of the changes after each block. */
  readonly #changes: number[];

  /** Adds the blocks of an opened journal to the chain. */
  constructor(chain: SlotChain, journal: Journal, stateFile: Pick<L1StateFile, 'dropAbove'>) {
    const { blocks, changes } = journal.read();
    for (const block of blocks) chain.push(block);
    this.chain = chain;
    this.#journal = journal;
    this.#stateFile = stateFile;
    this.#changes = changes.map(({ length }) => length);
  }

  /** Count of the changes after the head. */
  get changes(): number {
    return this.changesAfter(this.chain.head.number);
  }

  /** Counts the changes after a block. */
  changesAfter(number: number): number {
    return this.#changes[number] ?? 0;
  }

  /** Adds a block on top of the head. */
  add({ block, blobTransactions }: FetchedBlock): void {
    const store = this.#journal.blobTransactions;
    for (const [hash, raw] of blobTransactions) if (!store.has(hash)) store.put(hash, raw);
    this.#journal.append(block);
    this.chain.push(block);
    this.#changes[block.number] = 0;
  }

  /** Adds a change of the state after the head. */
  change(change: StateChange): void {
    const { number } = this.chain.head;
    this.#journal.change(change);
    this.#changes[number] = this.changesAfter(number) + 1;
  }

  /**
   * Removes the blocks above `number`, and all but the first `changes` changes after it. Default: it keeps these.
   * anvil that rolls blocks back keeps the changes after the block that is the head then.
   */
  rollback(number: number, changes = Number.POSITIVE_INFINITY): void {
    const rest = Math.min(changes, this.changesAfter(number));
    const hasFewer = rest < this.changesAfter(number);
    if (this.chain.head.number <= number && !hasFewer) return;
    // The next L1 would begin with blocks, or changes, that the journal lacks.
    this.#stateFile.dropAbove(hasFewer ? number - 1 : number);
    this.#journal.rollback(number, rest);
    this.chain.rollback(number);
    this.#changes.splice(number, Number.POSITIVE_INFINITY, rest);
  }

  /** Reads the blocks and changes of the journal. */
  read(): JournalChain {
    return this.#journal.read();
  }

  /** Returns the network form of a journalled transaction. */
  readonly raw = ({ raw, hash }: JournalTransaction): Hex | undefined => {
    if (raw !== undefined) return raw;
    const blobTransaction = this.#journal.blobTransactions.get(hash);
    return blobTransaction && bytesToHex(blobTransaction);
  };
}
