import { rest } from '../../system/channel/quiesce.ts';
import { pause } from '../../system/time/pause.ts';
import type { Inclusion, Terms } from './l1-backend.ts';
import type { PendingTransaction, TxCandidate } from './pending-transaction.ts';
import { queryReceipt } from './receipt-query.ts';
import type { SendContext } from './send-context.ts';
import { checkTimeout, recoverSend } from './send-recovery.ts';

/** Pause after a failure of L1, ms of the wall clock. */
const RETRY_PAUSE_MS = 500;

/** One candidate on its way to a confirmed inclusion (op-service: `sendTx`, `SendState`). */
export class CandidateSend {
  readonly #context: SendContext;
  readonly #candidate: TxCandidate;
  readonly #signal: AbortSignal;
  #attempts: PendingTransaction | undefined;
  #nonce: number | undefined;

  constructor(context: SendContext, candidate: TxCandidate, signal: AbortSignal) {
    this.#context = context;
    this.#candidate = candidate;
    this.#signal = signal;
  }

  /** Sends the candidate until it is confirmed. Returns undefined when aborted. @throws as `TxManager.send` */
  async run(): Promise<Inclusion | undefined> {
    const { clock, options } = this.#context;
    const startedAt = clock.now();
    const activity = clock.activity();
    activity.busy();
    try {
      while (!this.#signal.aborted) {
        checkTimeout(this.#context, this.#candidate, this.#attempts, startedAt);
        try {
          const outcome = await this.#step();
          if (typeof outcome === 'object') return outcome;
          if (outcome === 'pending') await rest(clock, activity, options.pollInterval, this.#signal);
        } catch (error) {
          if (this.#signal.aborted) break;
          const outcome = await recoverSend(this.#context, this.#candidate, error);
          // The next poll shows whether an attempt used the nonce.
          if (outcome === 'nonce-lost' && this.#attempts === undefined) this.#release();
          await pause(Math.min(RETRY_PAUSE_MS, options.notInMempoolTimeout), this.#signal);
        }
      }
      return undefined;
    } finally {
      this.#release();
      activity.idle();
    }
  }

  /** Publishes the first attempt, or polls for those that were published. */
  async #step(): Promise<Inclusion | 'pending' | 'nonce-lost'> {
    if (this.#attempts === undefined) {
      this.#attempts = await (this.#nonce === undefined
        ? this.#begin()
        : this.#context.publisher.publish(this.#candidate, this.#nonce, this.#signal));
      if (this.#attempts !== undefined) this.#candidate.onSent?.();
      return 'pending';
    }
    const result = await queryReceipt(this.#context, this.#candidate, this.#attempts, this.#signal);
    if (result !== undefined && 'blockHash' in result) return result;
    this.#attempts = result;
    if (result !== undefined) return 'pending';
    this.#release();
    return 'nonce-lost';
  }

  /**
   * Publishes the first attempt in the candidate's turn (op-service: `prepare`, `publishTx`).
   * The next candidate waits until this one has a nonce. Undefined when aborted.
   */
  #begin(): Promise<PendingTransaction | undefined> {
    const { nonces, gap, publisher } = this.#context;
    return nonces.inTurn(async () => {
      const terms = await this.#reserveNonce();
      if (terms === undefined) return undefined;
      this.#nonce = terms.nonce;
      gap.reused(terms.nonce);
      return publisher.publish(this.#candidate, terms.nonce, this.#signal, terms.prices);
    });
  }

  async #reserveNonce(): Promise<Terms | undefined> {
    const { nonces, warn } = this.#context;
    while (!this.#signal.aborted) {
      try {
        return await nonces.reserve();
      } catch (error) {
        warn('L1 does not answer', { error });
      }
      await pause(RETRY_PAUSE_MS, this.#signal);
    }
    return undefined;
  }

  #release(): void {
    if (this.#nonce !== undefined) this.#context.nonces.release(this.#nonce);
    this.#nonce = undefined;
    this.#attempts = undefined;
  }
}
