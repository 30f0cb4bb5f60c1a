import { rlpEncode } from '../../../protocol/codec/rlp.ts';
import { startThread } from '../../../system/process/thread.ts';
import { noteAll } from './recovered-senders.ts';
import { isDeposit } from './transaction.ts';

/** Transactions within a second from which on the thread is worth its start: 30 ms of a processor, 10 MB. */
const BUSY_TRANSACTIONS = 256;
const BUSY_WINDOW_MS = 1000;
/** Transactions of a request, which take the thread 3 ms. */
const REQUEST_TRANSACTIONS = 64;
/** Transactions under way. Those above it are recovered where they execute. */
const MAX_WAITING = 8192;

/** The thread's script: a file beside this one, in the sources as in the build. */
const SCRIPT = import.meta.url.endsWith('.ts') ? './recovery-thread.ts' : './recovery-thread.cjs';

/**
 * Recovers the senders of transactions on a thread of its own, while blocks before them execute.
 * Recovery is a third of the time of a block of transfers. Nothing waits for the thread: a transaction that it has not
 * reached is recovered where it executes, by the same function. geth: `senderCacher`.
 */
export class SenderRecovery {
  #ask: ((transactions: Uint8Array) => Promise<Uint8Array>) | undefined;
  #waiting = 0;
  #windowBegan = Number.NEGATIVE_INFINITY;
  #inWindow = 0;

  /**
   * Passes transactions that execute soon to the thread. The first busy second starts it.
   * Resolves when the thread has answered. Their execution does not wait for it.
   */
  async ahead(transactions: readonly Uint8Array[]): Promise<void> {
    const signed = transactions.filter((raw) => !isDeposit(raw));
    if (this.#ask === undefined && !this.#isBusy(signed.length)) return;
    this.#ask ??= startThread<Uint8Array, Uint8Array>(new URL(SCRIPT, import.meta.url));
    const requests: Promise<void>[] = [];
    for (let at = 0; at < signed.length && this.#waiting < MAX_WAITING; at += REQUEST_TRANSACTIONS)
      requests.push(this.#recover(this.#ask, signed.slice(at, at + REQUEST_TRANSACTIONS)));
    await Promise.all(requests);
  }

  #isBusy(count: number): boolean {
    const now = performance.now();
    if (now - this.#windowBegan > BUSY_WINDOW_MS) {
      this.#windowBegan = now;
      this.#inWindow = 0;
    }
    this.#inWindow += count;
    return this.#inWindow >= BUSY_TRANSACTIONS;
  }

  async #recover(
    ask: (transactions: Uint8Array) => Promise<Uint8Array>,
    transactions: readonly Uint8Array[],
  ): Promise<void> {
    this.#waiting += transactions.length;
    try {
      // One array: each transaction alone would take a copy of its whole block along.
      noteAll(transactions, await ask(rlpEncode(transactions)));
    } catch {
      // The thread has ended. Each transaction is recovered where it executes.
    } finally {
      this.#waiting -= transactions.length;
    }
  }
}
