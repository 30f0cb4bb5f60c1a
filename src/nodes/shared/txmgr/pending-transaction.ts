import type { Hex } from '../../../protocol/types.ts';
import { TransportError } from '../../../rpc/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Logger } from '../../../system/log.ts';
import type { Account } from './account.ts';
import { exceedsLimits, type FeePolicy, suggestGasPriceCaps, updateFees } from './fees.ts';
import type { L1Backend } from './l1-backend.ts';
import { classifySendError } from './send-error.ts';
import { type BlobSidecar, dataGas, type Fees, signTransaction } from './transaction.ts';

/** What shall be on L1, whatever its fees and nonce. */
export interface TxCandidate {
  readonly to: Hex;
  readonly data: Uint8Array;
  readonly sidecar?: BlobSidecar;
  /** Gas limit; absent: what the data costs when no code runs. */
  readonly gas?: number;
  /** What is sent, for the log. */
  readonly what: string;
}

/** Attempts of one candidate: all have one nonce, so that at most one of them is ever included. */
export interface PendingTransaction {
  readonly nonce: number;
  readonly hashes: Hex[];
  readonly fees: Fees;
  /** When the last one was sent, performance time. */
  readonly sentAt: number;
  /** Looks in a row that found the nonce used and none of the attempts included. */
  readonly nonceTooLow: number;
}

/** Puts candidates into L1's pool. Methods throw RpcError where L1 refuses for another reason than the fees. */
export interface Publisher {
  /** The first attempt at a nonce, above a transaction that waits there already. */
  publish(candidate: TxCandidate, nonce: number): Promise<PendingTransaction>;
  /** The same again: L1 dropped it. */
  republish(candidate: TxCandidate, attempts: PendingTransaction): Promise<PendingTransaction>;
  /** Higher fees, as far as the policy allows. */
  increaseGasPrice(candidate: TxCandidate, attempts: PendingTransaction): Promise<PendingTransaction>;
}

/** `warn` says what is the matter with L1, now and then. */
export function createPublisher(
  l1: L1Backend,
  account: Account,
  policy: FeePolicy,
  log: Logger,
  warn: (message: string, fields: Record<string, unknown>) => void,
): Publisher {
  let chainId: number | undefined;

  async function sign(candidate: TxCandidate, nonce: number, fees: Fees) {
    chainId ??= await l1.chainId();
    const { to, data, sidecar, gas = dataGas(data) } = candidate;
    return signTransaction(account, { chainId, nonce, gas, to, data, fees, sidecar });
  }

  /** Sends; where another transaction of the nonce waits in the pool, above its fees. */
  async function submit(
    candidate: TxCandidate,
    nonce: number,
    fees: Fees,
    market: Fees,
    hashes: Hex[],
  ): Promise<PendingTransaction> {
    const { hash, raw } = await sign(candidate, nonce, fees);
    const hasBlobs = candidate.sidecar !== undefined;
    try {
      await l1.send(raw);
    } catch (error) {
      const refusal = error instanceof RpcError ? classifySendError(error.message) : undefined;
      const higher = updateFees(fees, market, hasBlobs);
      if (refusal === 'underpriced' && !exceedsLimits(higher, market, policy, hasBlobs))
        return submit(candidate, nonce, higher, market, hashes);
      // Without an answer it may have arrived all the same: the next look tells.
      if (error instanceof TransportError) warn('L1 does not answer', { error });
      else if (refusal !== 'known') throw error;
    }
    if (!hashes.includes(hash)) hashes.push(hash);
    log.debug('Sent to L1', { what: candidate.what, hash, nonce, maxFeePerGas: fees.maxFeePerGas });
    return { nonce, hashes, fees, sentAt: performance.now(), nonceTooLow: 0 };
  }

  const marketFees = async () => suggestGasPriceCaps(await l1.gasPrices(), policy);

  return {
    async publish(candidate, nonce) {
      const fees = await marketFees();
      return submit(candidate, nonce, fees, fees, []);
    },
    republish: async (candidate, { nonce, fees, hashes }) => submit(candidate, nonce, fees, fees, hashes),
    async increaseGasPrice(candidate, attempts) {
      const market = await marketFees();
      const hasBlobs = candidate.sidecar !== undefined;
      const fees = updateFees(attempts.fees, market, hasBlobs);
      if (!exceedsLimits(fees, market, policy, hasBlobs))
        return submit(candidate, attempts.nonce, fees, market, attempts.hashes);
      warn('Fees are not raised further', { fee: fees.maxFeePerGas, market: market.maxFeePerGas });
      return { ...attempts, sentAt: performance.now() };
    },
  };
}
