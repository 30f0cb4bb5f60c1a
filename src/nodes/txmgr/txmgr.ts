import { bytesToHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { TransportError } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { Failure } from '../../system/failure.ts';
import type { Logger } from '../../system/program/log.ts';
import { type Clock, rest, wallClock } from '../../system/time/clock.ts';
import { pause } from '../../system/time/pause.ts';
import type { Account } from './account.ts';
import type { FeePolicy } from './fees.ts';
import type { Inclusion, L1Backend, Terms } from './l1-backend.ts';
import { nonceGap } from './nonce-gap.ts';
import { createPublisher, type PendingTransaction, type TxCandidate } from './pending-transaction.ts';
import { classifySendError } from './send-error.ts';

/** Settings of the transaction manager (op-service: `txmgr.Config`). Times in milliseconds of the clock. */
export interface TxManagerOptions {
  /** Confirmations of an inclusion, its own block counted. */
  readonly confirmations: number;
  /** Consecutive polls with a used nonce and no inclusion before a candidate gets another nonce. */
  readonly safeAbortNonceTooLow: number;
  /** Time without inclusion after which fees are raised. */
  readonly resubmissionTimeout: number;
  /** Time limit of a candidate. */
  readonly sendTimeout: number;
  /** Time limit of a candidate that L1's pool never accepted. */
  readonly notInMempoolTimeout: number;
  /** Pause between two polls of L1. */
  readonly pollInterval: number;
  readonly fees: FeePolicy;
}

/**
 * Sends transactions from one account, any number at once (op-service: `TxManager`).
 * It handles fee increases, drops, reorganisations and restarts of L1.
 */
export interface TxManager {
  readonly address: Hex;
  /**
   * Sends a candidate; nonces follow the order of the calls.
   * Resolves once the transaction is included and confirmed, also where it reverted. Undefined when aborted.
   * @throws Failure `l1-refused` where L1 will never accept it, `l1-timeout` where L1 did not include it in time
   */
  send(candidate: TxCandidate, signal: AbortSignal): Promise<Inclusion | undefined>;
  /** Resolves when no candidate is in flight: those that were aborted send nothing any more. */
  ended(): Promise<void>;
}

/** Pause after a failure of L1, and the shortest time between two warnings, ms of the wall clock. */
const RETRY_WAIT = 500;
const WARN_EVERY = 30_000;

/** Creates the transaction manager (op-service: `SimpleTxManager`). */
export function txManager(
  l1: L1Backend,
  account: Account,
  options: TxManagerOptions,
  log: Logger,
  clock: Clock = wallClock(),
): TxManager {
  const { address } = account;
  const publisher = createPublisher(l1, account, options.fees, log, clock, warnRarely);
  /** Nonces of candidates in flight. */
  const usedNonces = new Set<number>();
  const gap = nonceGap(l1, publisher, log);
  /** Candidates in flight. */
  const sends = new Set<Promise<unknown>>();
  /** Serializes the assignment of nonces. */
  let turn: Promise<unknown> = Promise.resolve();
  let warnedAt = Number.NEGATIVE_INFINITY;

  function warnRarely(message: string, fields: Record<string, unknown>): void {
    const now = performance.now();
    if (now - warnedAt < WARN_EVERY) return;
    warnedAt = now;
    log.warn(message, fields);
  }

  /**
   * Reserves the lowest nonce that is neither used nor in flight (op-service: `signWithNextNonce`).
   * Returns it with the prices of now.
   */
  async function takeNonce(): Promise<Terms> {
    const { nonce: next, prices } = await l1.terms(address);
    let nonce = next;
    while (usedNonces.has(nonce)) nonce++;
    usedNonces.add(nonce);
    gap.reused(nonce);
    return { nonce, prices };
  }

  /**
   * Publishes a candidate's first attempt in its turn (op-service: `prepare`, `publishTx`).
   * The next candidate waits until this one has a nonce. Undefined when aborted.
   */
  function begin(
    candidate: TxCandidate,
    signal: AbortSignal,
    onNonce: (nonce: number) => void,
  ): Promise<PendingTransaction | undefined> {
    const begun = turn.then(async () => {
      let terms: Terms | undefined;
      while (!signal.aborted) {
        try {
          terms = await takeNonce();
          break;
        } catch (error) {
          warnRarely('L1 does not answer', { error });
        }
        await pause(RETRY_WAIT, signal);
      }
      if (terms === undefined) return undefined;
      onNonce(terms.nonce);
      return publisher.publish(candidate, terms.nonce, terms.prices);
    });
    turn = begun.catch(() => {});
    return begun;
  }

  /** Polls L1: the confirmed inclusion, or the current state of the attempts (op-service: `queryReceipt`). */
  async function queryReceipt(
    candidate: TxCandidate,
    attempts: PendingTransaction,
  ): Promise<Inclusion | PendingTransaction | undefined> {
    const { what } = candidate;
    const included = await l1.inclusion(attempts.hashes);
    if (included !== undefined) {
      const isConfirmed =
        options.confirmations <= 1 || (await l1.head()).number - included.blockNumber + 1 >= options.confirmations;
      if (!isConfirmed) return attempts;
      gap.confirmed(candidate, attempts, included.blockNumber);
      return included;
    }
    const onChain = await l1.nonce(address);
    if (onChain < attempts.nonce && (await gap.fill(onChain, attempts.nonce, (nonce) => usedNonces.has(nonce)))) {
      // A node that lags behind shows a gap that is none.
      if (attempts.nonceTooHigh + 1 < options.safeAbortNonceTooLow)
        return { ...attempts, nonceTooHigh: attempts.nonceTooHigh + 1 };
      log.warn('A reorganisation of L1 left a nonce gap, sending again below it', {
        what,
        nonce: attempts.nonce,
        onChain,
      });
      return undefined;
    }
    if (onChain > attempts.nonce) {
      // An attempt may have been included between the two requests, or the answers come from different nodes.
      if (attempts.nonceTooLow + 1 < options.safeAbortNonceTooLow)
        return { ...attempts, nonceTooLow: attempts.nonceTooLow + 1 };
      if ((await l1.inclusion(attempts.hashes)) !== undefined) return attempts;
      log.warn('Another transaction took the nonce, sending again', { what, nonce: attempts.nonce });
      return undefined;
    }
    if (clock.now() - attempts.sentAt >= options.resubmissionTimeout) {
      log.info('Not included in time, raising fees', { what, nonce: attempts.nonce });
      return publisher.increaseGasPrice(candidate, attempts);
    }
    const hash = attempts.hashes.at(-1);
    if (hash !== undefined && !(await l1.knows(hash))) {
      log.info('L1 dropped the transaction, sending it again', { what, hash });
      return publisher.republish(candidate, attempts);
    }
    const { nonceTooLow, nonceTooHigh } = attempts;
    return nonceTooLow + nonceTooHigh === 0 ? attempts : { ...attempts, nonceTooLow: 0, nonceTooHigh: 0 };
  }

  /**
   * Classifies an error of L1 (op-service: `CriticalError`): the nonce is lost, or wait.
   * Rethrows unrecoverable ones.
   */
  async function recover(error: unknown, candidate: TxCandidate): Promise<'nonce-lost' | 'wait'> {
    if (error instanceof TransportError) {
      warnRarely('L1 does not answer', { error });
      return 'wait';
    }
    if (!(error instanceof RpcError)) throw error;
    const refusal = classifySendError(error.message);
    if (refusal === 'nonce-used') return 'nonce-lost';
    if (refusal === 'funds') {
      const balance = await l1.balance(address).catch(() => undefined);
      warnRarely('The account cannot pay for the transaction: send it ETH on L1', { address, balance, error });
      return 'wait';
    }
    if (refusal === 'final')
      throw new Failure('l1-refused', `L1 refuses ${candidate.what}`, {
        data: { to: candidate.to, data: bytesToHex(candidate.data.subarray(0, 64)), bytes: candidate.data.length },
        cause: error,
      });
    warnRarely('L1 does not take the transaction now', { error });
    return 'wait';
  }

  /** Checks the time limits (op-service: `ErrMempoolDeadlineExpired`). @throws Failure `l1-timeout` */
  function checkTimeout({ what }: TxCandidate, attempts: PendingTransaction | undefined, startedAt: number): void {
    const waited = clock.now() - startedAt;
    const isPooled = attempts !== undefined;
    const limit = isPooled ? options.sendTimeout : Math.min(options.sendTimeout, options.notInMempoolTimeout);
    if (waited < limit) return;
    throw new Failure('l1-timeout', `L1 did not ${isPooled ? 'include' : 'take'} ${what} within ${limit} ms`, {
      data: { waited: Math.round(waited), hashes: attempts?.hashes ?? [] },
      hint: isPooled ? '--txmgr.send-timeout bounds it' : '--txmgr.not-in-mempool-timeout bounds it',
    });
  }

  /** Sends a candidate until it is confirmed (op-service: `sendTx`). */
  async function send(candidate: TxCandidate, signal: AbortSignal): Promise<Inclusion | undefined> {
    const startedAt = clock.now();
    const activity = clock.activity();
    activity.busy();
    let attempts: PendingTransaction | undefined;
    let nonce: number | undefined;
    const release = () => {
      if (nonce !== undefined) usedNonces.delete(nonce);
      nonce = undefined;
      attempts = undefined;
    };
    try {
      while (!signal.aborted) {
        checkTimeout(candidate, attempts, startedAt);
        try {
          if (attempts === undefined) {
            const taken = (found: number) => {
              nonce = found;
            };
            attempts = await (nonce === undefined
              ? begin(candidate, signal, taken)
              : publisher.publish(candidate, nonce));
          } else {
            const seen: Inclusion | PendingTransaction | undefined = await queryReceipt(candidate, attempts);
            if (seen !== undefined && 'blockHash' in seen) return seen;
            attempts = seen;
            if (attempts === undefined) {
              release();
              continue;
            }
          }
          await rest(clock, activity, options.pollInterval, signal);
        } catch (error) {
          if (signal.aborted) break;
          const outcome = await recover(error, candidate);
          // The next poll shows whether an attempt used the nonce.
          if (outcome === 'nonce-lost' && attempts === undefined) release();
          await pause(Math.min(RETRY_WAIT, options.notInMempoolTimeout), signal);
        }
      }
      return undefined;
    } finally {
      release();
      activity.idle();
    }
  }

  return {
    address,
    send(candidate, signal) {
      const sent = send(candidate, signal);
      const over = sent.catch(() => {}).finally(() => sends.delete(over));
      sends.add(over);
      return sent;
    },
    async ended() {
      while (sends.size > 0) await Promise.all(sends);
    },
  };
}
