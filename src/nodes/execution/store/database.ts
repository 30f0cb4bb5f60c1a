import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { EXIT, Failure, SYSTEM_HINTS, systemCode } from '../../../system/failure.ts';
import { makeFolders, readText, replaceFile } from '../../../system/folder.ts';

/** Layout of the tables below. A store of a newer version is refused, never guessed at. */
export const STORE_VERSION = 3;

/**
 * What grows with the chain is appended, because a table in the order of hashes puts each new row on a page of its own, and the more so the more
 * it holds. Trie nodes are found by their place (`id`), which the node above them has in `places`; the topmost by `roots`. Indexes by hash that many
 * rows of a block would enter begin with an era: a run of blocks whose part of the index is small enough to stay in memory.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS nodes (id INTEGER PRIMARY KEY, rlp BLOB NOT NULL, places BLOB);
  CREATE TABLE IF NOT EXISTS roots (hash BLOB PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS codes (hash BLOB PRIMARY KEY, code BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blocks (
    hash BLOB NOT NULL UNIQUE, number INTEGER NOT NULL, header BLOB NOT NULL, body BLOB NOT NULL, receipts BLOB NOT NULL
  );
  CREATE TABLE IF NOT EXISTS canonical (number INTEGER PRIMARY KEY, hash BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS transactions (
    era INTEGER NOT NULL, hash BLOB NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (era, hash)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log_index (
    era INTEGER NOT NULL, value BLOB NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (era, value, number)
  ) WITHOUT ROWID;
`;

/** A datadir's SQLite file, held by this process alone until `close`; the operating system lets go of it when the process dies. */
export interface Database {
  prepare(sql: string): StatementSync;
  /** Runs `work` in one transaction: all of it is on disk when this returns, or none of it. */
  transaction<Result>(work: () => Result): Result;
  /**
   * Lets other threads of this process read the file, whose path it returns. Each statement takes a lock from then on, some microseconds; and the log
   * is theirs to bring into the file, until it is far too long.
   */
  share(): string;
  /** No other thread brings the log into the file any more. */
  unshare(): void;
  /** Brings the log into the file and empties it; as much of it as no reader stands in the way. */
  checkpoint(): void;
  close(): void;
}

/** What another thread sees of a database: all that was committed when a snapshot was taken, until it is let go. It cannot write. */
export interface Snapshots extends Database {
  take(): void;
  letGo(): void;
}

/** Pages of 4 kB in the log from which on a commit brings them into the file: 16 MB, and 128 MB where another thread is to come before that. */
const LONG_LOG = { alone: 4096, shared: 32_768 };

/** The file in a datadir that holds the chain. */
export const databaseFile = (datadir: string): string => join(datadir, 'chain.db');

/**
 * Opens a datadir and takes its lock. `isNew`: what is written can be had again, so that nobody waits for the disk, neither now nor at the end.
 * @throws Failure `datadir-in-use`, `datadir-version` or `datadir` (unreadable, no database)
 */
export function openDatabase(datadir: string, isNew = false): Database {
  const file = databaseFile(datadir);
  const owner = join(datadir, 'pid');
  let lock: DatabaseSync | undefined;
  let db: DatabaseSync | undefined;
  try {
    makeFolders(datadir);
    lock = takeLock(datadir);
    db = new DatabaseSync(file, { timeout: 0 });
    // WAL with synchronous=NORMAL: a commit survives the death of the process at once, and of the machine up to the last checkpoint. Entered and used
    // before the locking mode is set, because only then can `share` change it.
    db.exec(
      'PRAGMA journal_mode=WAL; SELECT 1 FROM sqlite_master; PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF; PRAGMA cache_size=-8192;',
    );
    checkAfter(db, LONG_LOG.alone);
    checkVersion(db, datadir);
    db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    db.prepare("INSERT OR IGNORE INTO meta VALUES ('version', ?)").run(Buffer.from(String(STORE_VERSION)));
    if (!isNew) db.exec('PRAGMA synchronous=NORMAL;');
    replaceFile(owner, String(process.pid));
  } catch (cause) {
    db?.close();
    lock?.close();
    throw openFailure(datadir, owner, cause);
  }
  return wrap(db, file, lock);
}

/** A connection of a thread that only reads what {@link Database.share} lets it. */
export function openSnapshots(file: string): Snapshots {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  db.exec('PRAGMA cache_size=-1024');
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  return { ...wrap(db, file), take: () => void begin.run(), letGo: () => void commit.run() };
}

/** Brings the log into a shared file from another thread: 100 ms for 16 MB, in which the thread that writes goes on. */
export function openLog(file: string): { checkpoint(): void } {
  const db = new DatabaseSync(file, { timeout: 1000 });
  db.exec('PRAGMA synchronous=NORMAL');
  // It waits for nobody: what a snapshot stands in the way of is brought in the next time.
  return { checkpoint: () => db.exec('PRAGMA wal_checkpoint(PASSIVE)') };
}

/** Keeps other processes out, however the chain's own file is locked: an empty database of its own, in a transaction that never ends. */
function takeLock(datadir: string): DatabaseSync {
  const lock = new DatabaseSync(join(datadir, 'lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE;');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function wrap(db: DatabaseSync, file: string, lock?: DatabaseSync): Database {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  return {
    prepare: (sql) => db.prepare(sql),
    transaction(work) {
      begin.run();
      try {
        const result = work();
        commit.run();
        return result;
      } catch (error) {
        try {
          rollback.run();
        } catch {
          // SQLite has rolled back by itself: the disk is full.
        }
        throw error;
      }
    },
    share() {
      db.exec('PRAGMA locking_mode=NORMAL');
      checkAfter(db, LONG_LOG.shared);
      // The lock goes with the next statement.
      db.prepare('SELECT 1 FROM meta').get();
      return file;
    },
    unshare: () => checkAfter(db, LONG_LOG.alone),
    checkpoint: () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    close() {
      db.close();
      lock?.close();
    },
  };
}

function checkAfter(db: DatabaseSync, pages: number): void {
  db.exec(`PRAGMA wal_autocheckpoint=${pages}`);
}

/** Before anything is written: a newer store is left as it is. */
function checkVersion(db: DatabaseSync, datadir: string): void {
  if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'meta'").get() === undefined) return;
  const row = db.prepare("SELECT value FROM meta WHERE key = 'version'").get() as { value: Uint8Array } | undefined;
  if (row === undefined) return;
  const version = Number(Buffer.from(row.value).toString());
  if (version === STORE_VERSION) return;
  throw new Failure(
    'datadir-version',
    `the datadir ${datadir} has store version ${version}, this program reads version ${STORE_VERSION}`,
    {
      data: { datadir, version, supported: STORE_VERSION },
      hint:
        version > STORE_VERSION ? 'use the newer program that wrote it' : 'remove the datadir and let it sync again',
    },
  );
}

function openFailure(datadir: string, owner: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  const code = (cause as { errcode?: number }).errcode;
  if (code === 5 || code === 6 || code === 261) {
    const pid = readText(owner)?.trim();
    return new Failure(
      'datadir-in-use',
      `the datadir ${datadir} is open in another process${pid ? ` (pid ${pid})` : ''}`,
      {
        data: { datadir, pid: pid || undefined },
        exit: EXIT.lacking,
        hint: 'stop that process, or give this one a --datadir of its own',
      },
    );
  }
  return new Failure('datadir', `cannot open the datadir ${datadir}`, {
    data: { datadir },
    exit: EXIT.lacking,
    hint: SYSTEM_HINTS[systemCode(cause) ?? ''] ?? 'it must be a writable folder; a damaged chain.db has to be removed',
    cause,
  });
}
