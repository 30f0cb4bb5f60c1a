import { concatAll } from '../../../protocol/bytes.ts';
import {
  type BlobTransaction,
  joinBlobTransaction,
  splitBlobTransaction,
} from '../../../protocol/codec/blobs/sidecar.ts';
import { rlpEncode, rlpSpan } from '../../../protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { asError } from '../../../system/failure.ts';
import { type AppendFile, openAppendFile } from '../../../system/files/append-file.ts';
import type { Logger } from '../../../system/program/log.ts';
import { decodeTransaction, type SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionPool } from './pool.ts';

/** Stale records after which the file is rewritten, beyond the number of pooled transactions. */
const MAX_STALE_RECORDS = 4096;

/** Persists pooled transactions across restarts. */
export interface Journal {
  /** Rewrites the file with the current transactions. */
  rotate(): void;
  /** Rewrites the file and closes it. */
  close(): void;
}

/** Pool and chain that a journal is loaded into. */
export interface JournalIo {
  readonly pool: TransactionPool;
  /** Whether the chain has a transaction already. That is known without its sender, whose recovery takes 0.3 ms. */
  isIncluded(hash: Hex): boolean;
  readonly log: Logger;
}

/**
 * Loads a pool's transactions from a file and appends each new one before its sender gets the response.
 * Counterparts: `newTxJournal` of geth, `save_local_txs_backup` of reth.
 * The format is that of geth's journal: transactions as in a block body, a list for legacy ones, else a string.
 * Conditional transactions are not written, because the file cannot hold the condition. A write error is logged and the
 * pool goes on.
 * @throws Failure `write` if the file cannot be opened
 */
export function openJournal(path: string, { pool, isIncluded, log }: JournalIo): Journal {
  const file = openAppendFile(path);
  let records = 0;
  load(file, path, { pool, isIncluded, log });

  const attempt = (write: () => void) => {
    try {
      write();
    } catch (error) {
      log.warn('transaction journal not written', { path, error: asError(error) });
    }
  };
  const rotate = () =>
    attempt(() => {
      const entries = pool.entries().filter(({ condition }) => condition === undefined);
      file.replace(concatAll(entries.map(({ transaction }) => record(formOf(pool, transaction)))));
      records = entries.length;
    });
  rotate();
  const unsubscribe = pool.onEntry(({ transaction, condition }) => {
    if (condition !== undefined) return;
    attempt(() => file.append(record(formOf(pool, transaction))));
    records++;
    if (records > 2 * pool.size + MAX_STALE_RECORDS) rotate();
  });
  return {
    rotate,
    close() {
      unsubscribe();
      rotate();
      file.close();
    },
  };
}

/** Encodes a transaction as in a block body: a legacy one is a list, a typed one a string. */
function record(raw: Uint8Array): Uint8Array {
  return (raw[0] ?? 0) >= 0xc0 ? raw : rlpEncode(raw);
}

/** Returns the form of a transaction for the file: that of the network for one with blobs. */
function formOf({ sidecars }: TransactionPool, { hash, raw, type }: SignedTransaction): Uint8Array {
  const sidecar = type === 3 ? sidecars.get(hash) : undefined;
  return sidecar === undefined ? raw : joinBlobTransaction({ raw, sidecar });
}

/** Splits a transaction of the file that has blobs. A malformed one is left as it is. */
function withSidecar(raw: Uint8Array): Pick<BlobTransaction, 'raw'> & Partial<BlobTransaction> {
  try {
    return (raw[0] === 3 ? splitBlobTransaction(raw) : undefined) ?? { raw };
  } catch {
    return { raw };
  }
}

function load(file: AppendFile, path: string, { pool, isIncluded, log }: JournalIo): void {
  const bytes = file.bytes();
  let at = 0;
  let restoredCount = 0;
  let dropped = 0;
  while (at < bytes.length) {
    let span: ReturnType<typeof rlpSpan>;
    try {
      span = rlpSpan(bytes, at);
    } catch {
      log.warn('the transaction journal ends in a truncated record', { path, bytes: bytes.length - at });
      break;
    }
    // A copy. The transaction would keep the whole file in memory, and the `slice` of a Buffer is a view.
    const { raw, sidecar } = withSidecar(new Uint8Array(bytes.subarray(span.list ? at : span.start, span.end)));
    at = span.end;
    if (isIncluded(bytesToHex(keccak256Bytes(raw)))) {
      dropped++;
      continue;
    }
    try {
      const transaction = decodeTransaction(raw);
      if (sidecar !== undefined) pool.sidecars.add(transaction.hash, sidecar);
      pool.add(transaction);
      restoredCount++;
    } catch (error) {
      dropped++;
      log.debug('journaled transaction rejected', { path, error: asError(error) });
    }
  }
  if (restoredCount + dropped > 0)
    log.info('transactions loaded from the journal', { path, taken: restoredCount, dropped });
}
