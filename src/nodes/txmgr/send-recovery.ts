import { bytesToHex } from '../../protocol/hex.ts';
import { TransportError } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { Failure } from '../../system/failure.ts';
import type { PendingTransaction, TxCandidate } from './pending-transaction.ts';
import type { SendContext } from './send-context.ts';
import { classifySendError, type SendErrorKind } from './send-error.ts';
import { dataGas } from './transaction.ts';

/**
 * Classifies an error of L1 (op-service: `CriticalError`): the nonce is lost, or wait.
 * Rethrows unrecoverable ones. @throws Failure `l1-refused` if L1 will never accept the candidate
 */
export async function recoverSend(
  { l1, address, warn }: SendContext,
  candidate: TxCandidate,
  error: unknown,
): Promise<'nonce-lost' | 'wait'> {
  if (error instanceof TransportError) {
    warn('L1 does not answer', { error });
    return 'wait';
  }
  if (!(error instanceof RpcError)) throw error;
  const refusal = classifySendError(error.message);
  if (refusal === 'nonce-used') return 'nonce-lost';
  if (refusal === 'funds') {
    const balance = await l1.balance(address).catch(() => undefined);
    warn('The account cannot pay for the transaction: send it ETH on L1', { address, balance, error });
    return 'wait';
  }
  if (refusal === 'final' || refusal === 'too-large') throw refused(candidate, refusal, error);
  warn('L1 does not take the transaction now', { error });
  return 'wait';
}

/** The failure of a candidate that L1 never accepts. One that is too large is told with its size. */
function refused({ what, to, data, gas = dataGas(data), bound }: TxCandidate, kind: SendErrorKind, cause: RpcError) {
  const size = `a transaction of ${gas} gas with ${data.length} bytes of data`;
  const bounded = bound === undefined ? size : `${size} (${bound} bounds them)`;
  return new Failure('l1-refused', `L1 refuses ${what}${kind === 'too-large' ? `, ${bounded}` : ''}`, {
    data: { to, data: bytesToHex(data.subarray(0, 64)), bytes: data.length, gas },
    cause,
  });
}

/**
 * Checks the time limits of a candidate (op-service: `ErrMempoolDeadlineExpired`). `startedAt`: ms of the clock.
 * @throws Failure `l1-timeout`
 */
export function checkTimeout(
  { options, clock }: SendContext,
  { what }: TxCandidate,
  attempts: PendingTransaction | undefined,
  startedAt: number,
): void {
  const elapsed = clock.now() - startedAt;
  const isPooled = attempts !== undefined;
  const limit = isPooled ? options.sendTimeout : Math.min(options.sendTimeout, options.notInMempoolTimeout);
  if (elapsed < limit) return;
  throw new Failure('l1-timeout', `L1 did not ${isPooled ? 'include' : 'take'} ${what} within ${limit} ms`, {
    data: { waited: Math.round(elapsed), hashes: attempts?.hashes ?? [] },
    hint: isPooled ? '--txmgr.send-timeout bounds it' : '--txmgr.not-in-mempool-timeout bounds it',
  });
}
