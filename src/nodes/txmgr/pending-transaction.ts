import type { Hex } from '../../protocol/types.ts';
import { TransportError } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { Account } from './account.ts';
import { exceedsLimits, type FeePolicy, type GasPrices, suggestGasPriceCaps, updateFees } from './fees.ts';
import type { L1Backend } from './l1-backend.ts';
import { classifySendError } from './send-error.ts';
import { type BlobSidecar, dataGas, type Fees, signTransaction } from './transaction.ts';

/** A transaction to include on L1, without fees and nonce (op-service: `TxCandidate`). */
export interface TxCandidate {
  readonly to: Hex;
  readonly data: Uint8Array;
  /** wei; absent: none. */
  readonly value?: bigint;
  readonly sidecar?: BlobSidecar;
  /** Gas limit; absent: the intrinsic gas of the data. */
  readonly gas?: number;
  /** Describes the transaction for the log. */
  readonly what: string;
  /** The option that bounds its data. */
  readonly bound?: string;
  /** Called when L1 has taken it into its pool. */
  readonly onSent?: () => void;
}

/**
 * A published candidate: every attempt has the same nonce, so that at most one is included (op-service: `SendState`).
 */
export interface PendingTransaction {
  readonly nonce: number;
  readonly hashes: Hex[];
  readonly fees: Fees;
  /** Time of the last attempt, milliseconds of the clock. */
  readonly sentAt: number;
  /** Consecutive polls that found the nonce used and no attempt included. */
  readonly nonceTooLow: number;
  /** Consecutive polls that found a lower nonce free: the transaction cannot be included. */
  readonly nonceTooHigh: number;
}

/**
 * Publishes candidates. Methods throw RpcError if L1 rejects a transaction for a reason other than its fees.
 * They throw once their signal is aborted: nothing is sent from then on, and a request without an answer is not told.
 * Counterpart in op-service: the methods of `SimpleTxManager` that craft and send.
 */
export interface Publisher {
  /**
   * Publishes the first attempt at a nonce (op-service: `publishTx`). It replaces a pooled transaction of that nonce.
   * `prices`: the current ones; absent: they are read from L1.
   */
  publish(candidate: TxCandidate, nonce: number, signal: AbortSignal, prices?: GasPrices): Promise<PendingTransaction>;
  /** Publishes the last attempt again, which L1's pool dropped. */
  republish(candidate: TxCandidate, attempts: PendingTransaction, signal: AbortSignal): Promise<PendingTransaction>;
  /** Publishes an attempt with higher fees, within the policy (op-service: `increaseGasPrice`). */
  increaseGasPrice(
    candidate: TxCandidate,
    attempts: PendingTransaction,
    signal: AbortSignal,
  ): Promise<PendingTransaction>;
}

/** Creates the publisher. `warn` logs a state of L1 at a limited rate. */
export function createPublisher(
  l1: L1Backend,
  account: Account,
  policy: FeePolicy,
  log: Logger,
  clock: Clock,
  warn: (message: string, fields: Record<string, unknown>) => void,
): Publisher {
  let chainId: number | undefined;

  /** Signs a candidate (op-service: `craftTx`, `finishBlobTx`). */
  async function sign(candidate: TxCandidate, nonce: number, fees: Fees) {
    chainId ??= await l1.chainId();
    const { to, data, value, sidecar, gas = dataGas(data) } = candidate;
    return signTransaction(account, { chainId, nonce, gas, to, data, value, fees, sidecar });
  }

  /** Sends an attempt, with fees above those of a pooled transaction of the nonce. */
  async function submit(
    candidate: TxCandidate,
    nonce: number,
    fees: Fees,
    market: Fees,
    hashes: Hex[],
    signal: AbortSignal,
  ): Promise<PendingTransaction> {
    const { hash, raw } = await sign(candidate, nonce, fees);
    const hasBlobs = candidate.sidecar !== undefined;
    signal.throwIfAborted();
    try {
      await l1.send(raw);
    } catch (error) {
      signal.throwIfAborted();
      const refusal = error instanceof RpcError ? classifySendError(error.message) : undefined;
      const higher = updateFees(fees, market, hasBlobs);
      if (refusal === 'underpriced' && !exceedsLimits(higher, market, policy, hasBlobs))
        return submit(candidate, nonce, higher, market, hashes, signal);
      // A transaction without an answer may have arrived: the next poll shows it.
      if (error instanceof TransportError) warn('L1 does not answer', { error });
      else if (refusal !== 'known') throw error;
    }
    if (!hashes.includes(hash)) hashes.push(hash);
    log.debug('Sent to L1', { what: candidate.what, hash, nonce, maxFeePerGas: fees.maxFeePerGas });
    return { nonce, hashes, fees, sentAt: clock.now(), nonceTooLow: 0, nonceTooHigh: 0 };
  }

  const marketFees = async (prices?: GasPrices) => suggestGasPriceCaps(prices ?? (await l1.gasPrices()), policy);

  return {
    async publish(candidate, nonce, signal, prices) {
      const fees = await marketFees(prices);
      return submit(candidate, nonce, fees, fees, [], signal);
    },
    republish: async (candidate, { nonce, fees, hashes }, signal) =>
      submit(candidate, nonce, fees, fees, hashes, signal),
    async increaseGasPrice(candidate, attempts, signal) {
      const market = await marketFees();
      const hasBlobs = candidate.sidecar !== undefined;
      const fees = updateFees(attempts.fees, market, hasBlobs);
      if (!exceedsLimits(fees, market, policy, hasBlobs))
        return submit(candidate, attempts.nonce, fees, market, attempts.hashes, signal);
      warn('Fees are not raised further', { fee: fees.maxFeePerGas, market: market.maxFeePerGas });
      return { ...attempts, sentAt: clock.now() };
    },
  };
}
