import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { StateDiff } from '../state/commit.ts';
import type { Database } from './database.ts';
import { StateStore } from './state-store.ts';

/** A block as it is kept: encodings, which the chain decodes where it needs them. */
export interface StoredBlock {
  readonly hash: Hex;
  readonly number: number;
  readonly header: Uint8Array;
  readonly body: Uint8Array;
  readonly receipts: Uint8Array;
}

/** What becomes or ceases to be canonical with one block. */
export interface CanonicalBlock {
  readonly hash: Hex;
  readonly number: number;
  readonly transactions: readonly Hex[];
  /** Distinct addresses and topics of its logs. */
  readonly logValues: readonly Hex[];
}

/** Names under which single facts are kept. */
export type Fact =
  | 'head'
  | 'safe'
  | 'finalized'
  /** UTF-8 of genesis.json without `alloc`. */
  | 'definition'
  /** Hash of genesis.json's `alloc`, and the roots of the state that it describes. */
  | 'alloc-key'
  | 'state-root'
  | 'message-passer-root';

/** Blocks, the canonical chain and its indexes on disk. All writes of one step stand in one transaction. */
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
      header: db.prepare('SELECT header FROM blocks WHERE hash = ?'),
      canonical: db.prepare('SELECT hash FROM canonical WHERE number = ?'),
      setCanonical: db.prepare('INSERT OR REPLACE INTO canonical VALUES (?, ?)'),
      dropCanonical: db.prepare('DELETE FROM canonical WHERE number = ?'),
      transaction: db.prepare('SELECT number, position FROM transactions WHERE hash = ?'),
      setTransaction: db.prepare('INSERT OR REPLACE INTO transactions VALUES (?, ?, ?)'),
      dropTransaction: db.prepare('DELETE FROM transactions WHERE hash = ?'),
      setLogValue: db.prepare('INSERT OR IGNORE INTO log_index VALUES (?, ?)'),
      dropLogValue: db.prepare('DELETE FROM log_index WHERE value = ? AND number = ?'),
      logBlocks: db.prepare('SELECT number FROM log_index WHERE value = ? AND number BETWEEN ? AND ? ORDER BY number'),
    };
  }

  /** All of `work` is on disk when this returns, or none of it. */
  transaction<Result>(work: () => Result): Result {
    return this.#db.transaction(work);
  }

  fact(name: Fact): Hex | undefined {
    const row = this.#sql.fact.get(name) as { value: Uint8Array } | undefined;
    return row && bytesToHex(row.value);
  }

  setFact(name: Fact, value: Hex): void {
    this.#sql.setFact.run(name, hexToBytes(value));
  }

  /** Writes a block with the state that it makes. Call it inside a transaction. */
  insert(block: StoredBlock, diff: StateDiff): void {
    this.state.write(diff);
    this.#sql.insertBlock.run(hexToBytes(block.hash), block.number, block.header, block.body, block.receipts);
  }

  block(hash: Hex): StoredBlock | undefined {
    const row = this.#sql.block.get(hexToBytes(hash)) as Omit<StoredBlock, 'hash'> | undefined;
    return row && { hash, number: row.number, header: row.header, body: row.body, receipts: row.receipts };
  }

  header(hash: Hex): Uint8Array | undefined {
    return (this.#sql.header.get(hexToBytes(hash)) as { header: Uint8Array } | undefined)?.header;
  }

  canonicalHash(number: number): Hex | undefined {
    const row = this.#sql.canonical.get(number) as { hash: Uint8Array } | undefined;
    return row && bytesToHex(row.hash);
  }

  /** Where a canonical transaction stands. */
  transactionPlace(hash: Hex): { readonly number: number; readonly position: number } | undefined {
    return this.#sql.transaction.get(hexToBytes(hash)) as { number: number; position: number } | undefined;
  }

  /** Makes blocks canonical (oldest first). Call it inside a transaction. */
  addCanonical(blocks: readonly CanonicalBlock[]): void {
    for (const block of blocks) {
      this.#sql.setCanonical.run(block.number, hexToBytes(block.hash));
      for (const [position, hash] of block.transactions.entries())
        this.#sql.setTransaction.run(hexToBytes(hash), block.number, position);
      for (const value of block.logValues) this.#sql.setLogValue.run(hexToBytes(value), block.number);
    }
  }

  /** Takes blocks off the canonical chain. Call it inside a transaction. */
  dropCanonical(blocks: readonly CanonicalBlock[]): void {
    for (const block of blocks) {
      this.#sql.dropCanonical.run(block.number);
      for (const hash of block.transactions) this.#sql.dropTransaction.run(hexToBytes(hash));
      for (const value of block.logValues) this.#sql.dropLogValue.run(hexToBytes(value), block.number);
    }
  }

  /** Numbers of canonical blocks with a log that has the address or topic. */
  logBlocks(value: Hex, from: number, to: number): number[] {
    return (this.#sql.logBlocks.all(hexToBytes(value), from, to) as { number: number }[]).map(({ number }) => number);
  }

  close(): void {
    this.#db.close();
  }
}
