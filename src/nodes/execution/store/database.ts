import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { jsonField } from '../../../rpc/json-object.ts';
import { EXIT, Failure, SYSTEM_HINTS, systemCode } from '../../../system/failure.ts';
import { makeFolders, readText, replaceFile } from '../../../system/files/folder.ts';
import { bytesIn } from './row.ts';

/** Version of the tables below. A store of another version is rejected. */
export const STORE_VERSION = 3;

/**
 * The tables that grow with the chain are append-only.
 * In the order of hashes each row would be written to a page of its own. Trie nodes are found by row id: a node stores
 * the ids of its children in `places`, and `roots` holds those of state roots. Indexes by hash start with an era, a
 * range of blocks whose index part fits into memory.
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
    era INTEGER NOT NULL, hash BLOB NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY (era, hash)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log_index (
    era INTEGER NOT NULL, value BLOB NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (era, value, number)
  ) WITHOUT ROWID;
`;

/** SQLite file of a datadir, locked by this process until `close` or its end. */
export interface Database {
  prepare(sql: string): StatementSync;
  /** Runs `work` in one transaction: all of it is on disk when this returns, or none of it. */
  transaction<Result>(work: () => Result): Result;
  /** Moves the write-ahead log into the database and empties it, so that a copy of the files is small. */
  checkpoint(): void;
  close(): void;
}

/**
 * Pages of 4 kB in the write-ahead log (4 MB) above which a commit checkpoints it. Requests wait meanwhile: those of
 * 16 MB were the longest turn of the event loop.
 */
const CHECKPOINT_PAGES = 1024;

/** Path of the SQLite file in a datadir. */
export const databaseFile = (datadir: string): string => join(datadir, 'chain.db');

/**
 * Opens a datadir and locks it (geth: `OpenDatabase`, `ErrDatadirUsed`). `isNew`: its content can be recreated, so
 * writes are not synced to disk.
 * @throws Failure `datadir-in-use`, `datadir-version` or `datadir` (unreadable, not a database)
 */
export function openDatabase(datadir: string, isNew = false): Database {
  const file = databaseFile(datadir);
  const owner = join(datadir, 'pid');
  let db: DatabaseSync | undefined;
  try {
    makeFolders(datadir);
    db = new DatabaseSync(file, { timeout: 0 });
    // The file stays locked against other processes. WAL with synchronous=NORMAL: a commit survives a crash of the
    // process, and one of the machine up to the last checkpoint.
    db.exec(
      `PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA cache_size=-8192;
       PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES};`,
    );
    checkVersion(db, datadir);
    db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    db.prepare("INSERT OR IGNORE INTO meta VALUES ('version', ?)").run(Buffer.from(String(STORE_VERSION)));
    if (!isNew) db.exec('PRAGMA synchronous=NORMAL;');
    replaceFile(owner, String(process.pid));
  } catch (cause) {
    db?.close();
    throw openFailure(datadir, owner, cause);
  }
  return wrap(db);
}

function wrap(db: DatabaseSync): Database {
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
          // SQLite has already rolled back, because the disk is full.
        }
        throw error;
      }
    },
    checkpoint: () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    close: () => db.close(),
  };
}

/** Checks the version before anything is written, so that a newer store stays unchanged. */
function checkVersion(db: DatabaseSync, datadir: string): void {
  if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'meta'").get() === undefined) return;
  const row = db.prepare("SELECT value FROM meta WHERE key = 'version'").get();
  if (row === undefined) return;
  const version = Number(Buffer.from(bytesIn(row, 'value')).toString());
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
  const code = jsonField(cause, 'errcode');
  if (code === 5 || code === 6 || code === 261) {
    const pid = readText(owner)?.trim();
    return new Failure(
      'datadir-in-use',
      `the datadir ${datadir} is open in another process${pid ? ` (pid ${pid})` : ''}`,
      {
        data: { datadir, pid: pid || undefined },
        exit: EXIT.lacking,
        hint: 'stop that process, or use another --datadir',
      },
    );
  }
  return new Failure('datadir', `cannot open the datadir ${datadir}`, {
    data: { datadir },
    exit: EXIT.lacking,
    hint: SYSTEM_HINTS[systemCode(cause) ?? ''] ?? 'it must be a writable folder; remove a damaged chain.db',
    cause,
  });
}
