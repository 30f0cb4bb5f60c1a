import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { TransportError } from '../../../rpc/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import { Failure } from '../../../system/failure.ts';
import type { Logger } from '../../../system/log.ts';
import { pause } from '../../../system/pause.ts';
import type { Account } from './account.ts';
import type { FeePolicy } from './fees.ts';
import type { Inclusion, L1Backend } from './l1-backend.ts';
import { createPublisher, type PendingTransaction, type TxCandidate } from './pending-transaction.ts';
import { classifySendError } from './send-error.ts';

/** Times in milliseconds. */
export interface TxManagerOptions {
  /** L1 blocks from inclusion on, itself counted, before a transaction counts as there. */
  readonly confirmations: number;
  /** Looks in a row that find the nonce used and no inclusion before a candidate gets another nonce. */
  readonly safeAbortNonceTooLow: number;
  /** Time without inclusion after which fees are raised. */
  readonly resubmissionTimeout: number;
  /** Time after which a candidate is given up. */
  readonly sendTimeout: number;
  /** Time after which a candidate that L1's pool never took is given up. */
  readonly notInMempoolTimeout: number;
  /** Time from one look at L1 to the next. */
  readonly pollInterval: number;
  readonly fees: FeePolicy;
}

/** Sends transactions from one account, any number at once, and sees each through: fee rises, drops, reorganisations, restarts of L1. */
export interface TxManager {
  readonly address: Hex;
  /**
   * Candidates get consecutive nonces in the order of the calls. Resolves when the transaction is included and confirmed, also where it failed there. Undefined when aborted.
   * @throws Failure `l1-refused` where L1 will never take it, `l1-timeout` where it did not in time
   */
  send(candidate: TxCandidate, signal: AbortSignal): Promise<Inclusion | undefined>;
}

/** Waits after a failure of L1, ms; warnings about the same state come no more often than every 30 s. */
const RETRY_WAIT = 500;
const WARN_EVERY = 30_000;

export function txManager(l1: L1Backend, account: Account, options: TxManagerOptions, log: Logger): TxManager {
  const { address } = account;
  const publisher = createPublisher(l1, account, options.fees, log, warnRarely);
  /** Nonces of the candidates under way. */
  const usedNonces = new Set<number>();
  /** Candidates get their nonces one after another. */
  let turn: Promise<unknown> = Promise.resolve();
  let warnedAt = Number.NEGATIVE_INFINITY;

  function warnRarely(message: string, fields: Record<string, unknown>): void {
    const now = performance.now();
    if (now - warnedAt < WARN_EVERY) return;
    warnedAt = now;
    log.warn(message, fields);
  }

  /** The lowest nonce that is neither used nor taken by a candidate under way. */
  async function takeNonce(): Promise<number> {
    let nonce = await l1.nonce(address);
    while (usedNonces.has(nonce)) nonce++;
    usedNonces.add(nonce);
    return nonce;
  }

  /** The first attempt of a candidate in its turn, which it keeps until it has a nonce: what follows must not come before it. Undefined when aborted. */
  function begin(
    candidate: TxCandidate,
    signal: AbortSignal,
    onNonce: (nonce: number) => void,
  ): Promise<PendingTransaction | undefined> {
    const begun = turn.then(async () => {
      let nonce: number | undefined;
      while (!signal.aborted) {
        try {
          nonce = await takeNonce();
          break;
        } catch (error) {
          warnRarely('L1 does not answer', { error });
        }
        await pause(RETRY_WAIT, signal);
      }
      if (nonce === undefined) return undefined;
      onNonce(nonce);
      return publisher.publish(candidate, nonce);
    });
    turn = begun.catch(() => {});
    return begun;
  }

  /** One look at L1: the confirmed inclusion, or the attempts as they stand now. */
  async function queryReceipt(
    candidate: TxCandidate,
    attempts: PendingTransaction,
  ): Promise<Inclusion | PendingTransaction | undefined> {
    const { what } = candidate;
    const included = await l1.inclusion(attempts.hashes);
    if (included !== undefined) {
      const confirmations = (await l1.head()).number - included.blockNumber + 1;
      return confirmations >= options.confirmations ? included : attempts;
    }
    if ((await l1.nonce(address)) > attempts.nonce) {
      // Ours may have been included between the two questions, or answers come from nodes that differ.
      if (attempts.nonceTooLow + 1 < options.safeAbortNonceTooLow)
        return { ...attempts, nonceTooLow: attempts.nonceTooLow + 1 };
      if ((await l1.inclusion(attempts.hashes)) !== undefined) return attempts;
      log.warn('Another transaction took the nonce, sending again', { what, nonce: attempts.nonce });
      return undefined;
    }
    if (performance.now() - attempts.sentAt >= options.resubmissionTimeout) {
      log.info('Not included in time, raising fees', { what, nonce: attempts.nonce });
      return publisher.increaseGasPrice(candidate, attempts);
    }
    if (!(await l1.knows(attempts.hashes.at(-1)!))) {
      log.info('L1 dropped the transaction, sending it again', { what, hash: attempts.hashes.at(-1) });
      return publisher.republish(candidate, attempts);
    }
    return attempts.nonceTooLow === 0 ? attempts : { ...attempts, nonceTooLow: 0 };
  }

  /** Says what an error of L1 means, and whether the nonce is lost; rethrows what cannot be waited out. */
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

  /** Gives up what L1 takes too long over. @throws Failure `l1-timeout` */
  function checkTimeout({ what }: TxCandidate, attempts: PendingTransaction | undefined, startedAt: number): void {
    const waited = performance.now() - startedAt;
    const isPooled = attempts !== undefined;
    const limit = isPooled ? options.sendTimeout : Math.min(options.sendTimeout, options.notInMempoolTimeout);
    if (waited < limit) return;
    throw new Failure('l1-timeout', `L1 did not ${isPooled ? 'include' : 'take'} ${what} within ${limit} ms`, {
      data: { waited: Math.round(waited), hashes: attempts?.hashes ?? [] },
      hint: isPooled ? '--txmgr.send-timeout bounds it' : '--txmgr.not-in-mempool-timeout bounds it',
    });
  }

  return {
    address,
    async send(candidate, signal) {
      const startedAt = performance.now();
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
            await pause(options.pollInterval, signal);
          } catch (error) {
            if (signal.aborted) break;
            const outcome = await recover(error, candidate);
            // Attempts under way are looked at again: they tell whether one of them used the nonce.
            if (outcome === 'nonce-lost' && attempts === undefined) release();
            await pause(Math.min(RETRY_WAIT, options.notInMempoolTimeout), signal);
          }
        }
        return undefined;
      } finally {
        release();
      }
    },
  };
}
