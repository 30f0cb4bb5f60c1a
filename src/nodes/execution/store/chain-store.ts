import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Resumable } from '../../../protocol/resumable.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { StateDiff } from '../state/commit.ts';
import type { Database } from './database.ts';
import { bytesIn, integerIn, maximumIn } from './row.ts';
import { StateStore } from './state-store.ts';

/** A block as stored. The chain decodes its parts on access. */
export interface StoredBlock {
  readonly hash: Hex;
  readonly number: number;
  readonly header: Uint8Array;
  readonly body: Uint8Array;
  readonly receipts: Uint8Array;
}

/** The stored parts of a block that its logs are read from. */
export type LoggedBlock = Readonly<Record<'hash' | 'header' | 'receipts', Uint8Array>>;

/** The index entries of a canonical block. */
export interface CanonicalBlock {
  readonly hash: Hex;
  readonly number: number;
  readonly transactions: readonly Hex[];
  /** Distinct addresses and topics of its logs. */
  readonly logValues: readonly Hex[];
}

/** Keys of single stored values. */
export type Fact =
  | 'head'
  | 'safe'
  | 'finalized'
  /** UTF-8 of genesis.json without `alloc`. */
  | 'definition'
  /** UTF-8 of the fork times, as JSON, by which blocks were last executed. */
  | 'fork-times'
  /** Hash of genesis.json's `alloc`, and the roots of the state that it describes. */
  | 'alloc-key'
  | 'state-root'
  | 'message-passer-root';

/** Trie nodes per transaction: half a millisecond of work, two on a busy machine. */
const STEP_NODES = 200;

/** Index rows per transaction. Each touches a page of its own, so there are fewer. */
const INDEX_STEP_ROWS = 128;

/** Blocks of an index era. A lookup searches every era. */
const ERA_BLOCKS = 4096;
const eraOf = (number: number): number => Math.floor(number / ERA_BLOCKS);

/**
 * Stores blocks, the canonical chain and its indexes (geth: `core/rawdb`, reth: `DatabaseProvider`).
 * Each step writes one transaction.
 */
export class ChainStore {
  readonly state: StateStore;
  readonly #db: Database;
  readonly #sql;

  constructor(db: Database) {
    this.#db = db;
    this.state = new StateStore(db);
    this.#sql = {
      fact: db.prepare('SELECT value FROM meta WHERE key = ?'),
      setFact: db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)'),
      insertBlock: db.prepare('INSERT OR IGNORE INTO blocks VALUES (?, ?, ?, ?, ?)'),
      block: db.prepare('SELECT number, header, body, receipts FROM blocks WHERE hash = ?'),
      newestRow: db.prepare('SELECT max(rowid) AS row FROM blocks'),
      blocksSince: db.prepare('SELECT hash FROM blocks WHERE rowid > ?'),
      dropBlocksSince: db.prepare('DELETE FROM blocks WHERE rowid > ?'),
      dropFact: db.prepare('DELETE FROM meta WHERE key = ?'),
      dropBlocks: db.prepare('DELETE FROM blocks WHERE number > ?'),
      header: db.prepare('SELECT header FROM blocks WHERE hash = ?'),
      newest: db.prepare('SELECT max(number) AS number FROM canonical'),
      canonical: db.prepare('SELECT hash FROM canonical WHERE number = ?'),
      setCanonical: db.prepare('INSERT OR REPLACE INTO canonical VALUES (?, ?)'),
      dropCanonical: db.prepare('DELETE FROM canonical WHERE number = ?'),
      transaction: db.prepare('SELECT number, position FROM transactions WHERE era = ? AND hash = ?'),
      setTransaction: db.prepare('INSERT OR REPLACE INTO transactions VALUES (?, ?, ?, ?)'),
      dropTransaction: db.prepare('DELETE FROM transactions WHERE era = ? AND hash = ?'),
      setLogValue: db.prepare('INSERT OR IGNORE INTO log_index VALUES (?, ?, ?)'),
      dropLogValue: db.prepare('DELETE FROM log_index WHERE era = ? AND value = ? AND number = ?'),
      logged: db.prepare(
        'SELECT hash, header, receipts FROM canonical JOIN blocks USING (hash) WHERE canonical.number = ?',
      ),
      logBlocks: db.prepare(
        'SELECT number FROM log_index WHERE era = ? AND value = ? AND number BETWEEN ? AND ? ORDER BY number',
      ),
    };
  }

  /** Runs `work` in one transaction: all of it is on disk when this returns, or none. */
  transaction<Result>(work: () => Result): Result {
    return this.#db.transaction(work);
  }

  fact(name: Fact): Hex | undefined {
    const row = this.#sql.fact.get(name);
    return row && bytesToHex(bytesIn(row, 'value'));
  }

  /** Returns a value that an initialised store has. @throws Error if it is absent */
  knownFact(name: Fact): Hex {
    return present(this.fact(name), `${name} in the store`);
  }

  setFact(name: Fact, value: Hex): void {
    this.#sql.setFact.run(name, hexToBytes(value));
  }

  dropFact(name: Fact): void {
    this.#sql.dropFact.run(name);
  }

  /** Returns a mark for `removeSince`. */
  mark(): number {
    return maximumIn(this.#sql.newestRow.get(), 'row');
  }

  /** Removes every block that was stored after a mark, and returns their hashes. None of them may be canonical. */
  removeSince(mark: number): Hex[] {
    const hashes = this.#sql.blocksSince.all(mark).map((row) => bytesToHex(bytesIn(row, 'hash')));
    this.#sql.dropBlocksSince.run(mark);
    return hashes;
  }

  /**
   * Writes a block and its state in steps of one transaction each.
   * The last step writes block and state root. Trie nodes of earlier steps have no effect without it.
   */
  *insertWithState(block: StoredBlock, diff: StateDiff): Resumable<void> {
    const writing = this.state.writing(diff);
    while (writing.left > STEP_NODES) {
      this.transaction(() => writing.nodes(STEP_NODES));
      yield;
    }
    this.transaction(() => {
      writing.rest();
      this.insert(block);
    });
  }

  /** Writes a block whose state is stored. Call it inside a transaction. */
  insert(block: StoredBlock): void {
    this.#sql.insertBlock.run(hexToBytes(block.hash), block.number, block.header, block.body, block.receipts);
  }

  /** Removes every block above a number. None of them may be canonical. */
  removeAbove(number: number): void {
    this.#sql.dropBlocks.run(number);
  }

  block(hash: Hex): StoredBlock | undefined {
    const row = this.#sql.block.get(hexToBytes(hash));
    return (
      row && {
        hash,
        number: integerIn(row, 'number'),
        header: bytesIn(row, 'header'),
        body: bytesIn(row, 'body'),
        receipts: bytesIn(row, 'receipts'),
      }
    );
  }

  header(hash: Hex): Uint8Array | undefined {
    const row = this.#sql.header.get(hexToBytes(hash));
    return row && bytesIn(row, 'header');
  }

  /** Returns the encoded header of a stored block. @throws Error if the block is unknown */
  knownHeader(hash: Hex): Uint8Array {
    return present(this.header(hash), `block ${hash}`);
  }

  canonicalHash(number: number): Hex | undefined {
    const row = this.#sql.canonical.get(number);
    return row && bytesToHex(bytesIn(row, 'hash'));
  }

  /** Returns the parts of a canonical block that hold its logs. */
  loggedBlock(number: number): LoggedBlock | undefined {
    const row = this.#sql.logged.get(number);
    return row && { hash: bytesIn(row, 'hash'), header: bytesIn(row, 'header'), receipts: bytesIn(row, 'receipts') };
  }

  /**
   * Yields possible positions of a canonical transaction, the most likely first.
   * The caller checks the block: index rows of a block that did not become canonical remain.
   */
  *transactionPositions(hash: Hex): Generator<{ readonly number: number; readonly position: number }> {
    const key = hexToBytes(hash);
    for (let era = eraOf(this.#newest()); era >= 0; era--) {
      const row = this.#sql.transaction.get(era, key);
      if (row !== undefined) yield { number: integerIn(row, 'number'), position: integerIn(row, 'position') };
    }
  }

  /**
   * Makes blocks canonical, oldest first (geth: `WriteCanonicalHash`, `WriteTxLookupEntries`). Those in `indexed` have
   * index rows already. Call it inside a transaction.
   */
  addCanonical(blocks: readonly CanonicalBlock[], indexed?: ReadonlySet<Hex>): void {
    for (const block of blocks) {
      if (indexed?.has(block.hash) !== true) for (const write of this.#indexRows(block)) write();
      this.#sql.setCanonical.run(block.number, hexToBytes(block.hash));
    }
  }

  /**
   * Writes the index rows of a block ahead of its becoming canonical, in steps of one transaction each.
   * No block may leave the canonical chain meanwhile.
   */
  *indexing(block: CanonicalBlock): Resumable<void> {
    const rows = this.#indexRows(block);
    for (let isDone = false; !isDone; ) {
      this.transaction(() => {
        for (let left = INDEX_STEP_ROWS; left > 0 && !isDone; left--) {
          const row = rows.next();
          if (row.done) isDone = true;
          else row.value();
        }
      });
      yield;
    }
  }

  *#indexRows({ number, transactions, logValues }: CanonicalBlock): Generator<() => void> {
    const era = eraOf(number);
    for (const [position, hash] of transactions.entries())
      yield () => this.#sql.setTransaction.run(era, hexToBytes(hash), number, position);
    for (const value of logValues) yield () => this.#sql.setLogValue.run(era, hexToBytes(value), number);
  }

  /** Removes blocks from the canonical chain. Call it inside a transaction. */
  dropCanonical(blocks: readonly CanonicalBlock[]): void {
    for (const block of blocks) {
      this.#sql.dropCanonical.run(block.number);
      const era = eraOf(block.number);
      for (const hash of block.transactions) this.#sql.dropTransaction.run(era, hexToBytes(hash));
      for (const value of block.logValues) this.#sql.dropLogValue.run(era, hexToBytes(value), block.number);
    }
  }

  /** Returns the numbers of canonical blocks with a log that has the address or topic (geth: `FilterMaps`). */
  logBlocks(value: Hex, from: number, to: number): number[] {
    const key = hexToBytes(value);
    const numbers: number[] = [];
    const last = eraOf(Math.min(to, this.#newest()));
    for (let era = eraOf(from); era <= last; era++)
      for (const row of this.#sql.logBlocks.all(era, key, from, to)) numbers.push(integerIn(row, 'number'));
    return numbers;
  }

  #newest(): number {
    return maximumIn(this.#sql.newest.get(), 'number');
  }

  /** Moves all written data into one file, before the data folder is copied. */
  checkpoint(): void {
    this.#db.checkpoint();
  }

  close(): void {
    this.#db.close();
  }
}
