import { concatAll } from '../../../protocol/bytes.ts';
import { rlpEncode, rlpSpan } from '../../../protocol/codec/rlp.ts';
import { type AppendFile, openAppendFile } from '../../../system/append-file.ts';
import type { Logger } from '../../../system/log.ts';
import { decodeTransaction } from '../transaction/transaction.ts';
import type { TransactionPool } from './pool.ts';

/** Records beyond twice those in the pool after which the file is written anew. */
const SLACK = 4096;

/** The pool's transactions in a file, so that they are there again after a restart. */
export interface Journal {
  /** Writes the file anew with what is in the pool. */
  rotate(): void;
  /** Does that, and ends. */
  close(): void;
}

/**
 * Brings a pool's transactions back from a file and from then on writes each new one into it, before its sender is answered. The file is a
 * sequence of transactions as a block body holds them: lists of RLP, or strings of the typed ones. Those under a condition are not kept, the
 * condition would be lost. Where the disk refuses, the pool goes on without.
 * @throws Failure `write` where the file cannot be opened
 */
export function openJournal(path: string, pool: TransactionPool, log: Logger): Journal {
  const file = openAppendFile(path);
  let records = 0;
  load(file, path, pool, log);

  const attempt = (write: () => void) => {
    try {
      write();
    } catch (error) {
      log.warn('transaction journal not written', { path, error: error as Error });
    }
  };
  const rotate = () =>
    attempt(() => {
      const kept = pool.entries().filter(({ condition }) => condition === undefined);
      file.replace(concatAll(kept.map(({ transaction }) => record(transaction.raw))));
      records = kept.length;
    });
  rotate();
  const unsubscribe = pool.onEntry(({ transaction, condition }) => {
    if (condition !== undefined) return;
    attempt(() => file.append(record(transaction.raw)));
    records++;
    if (records > 2 * pool.size + SLACK) rotate();
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

/** A typed transaction is a string in a list of transactions, a legacy one a list. */
function record(raw: Uint8Array): Uint8Array {
  return raw[0]! >= 0xc0 ? raw : rlpEncode(raw);
}

function load(file: AppendFile, path: string, pool: TransactionPool, log: Logger): void {
  const bytes = file.bytes();
  let at = 0;
  let taken = 0;
  let dropped = 0;
  while (at < bytes.length) {
    let span: ReturnType<typeof rlpSpan>;
    try {
      span = rlpSpan(bytes, at);
    } catch {
      log.warn('the transaction journal ends in a record that was cut off', { path, bytes: bytes.length - at });
      break;
    }
    try {
      pool.add(decodeTransaction(bytes.slice(span.list ? at : span.start, span.end)));
      taken++;
    } catch (error) {
      dropped++;
      log.debug('journaled transaction not taken', { path, error: error as Error });
    }
    at = span.end;
  }
  if (taken + dropped > 0) log.info('transactions of the journal', { path, taken, dropped });
}
