import type { Hex } from '../../protocol/types.ts';
import { type Channel, standaloneChannel } from '../../system/channel/channel.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Account } from './account.ts';
import { CandidateSend } from './candidate-send.ts';
import type { Inclusion, L1Backend } from './l1-backend.ts';
import { limitedWarning } from './limited-warning.ts';
import { NonceAllocator } from './nonce-allocator.ts';
import { nonceGap } from './nonce-gap.ts';
import { createPublisher, type TxCandidate } from './pending-transaction.ts';
import type { SendContext, TxManagerOptions } from './send-context.ts';

/**
 * Sends transactions from one account, any number at once (op-service: `TxManager`).
 * It handles fee increases, drops, reorganisations and restarts of L1.
 */
export interface TxManager {
  readonly address: Hex;
  /**
   * Sends a candidate; nonces follow the order of the calls.
   * Resolves once the transaction is included and confirmed, also if it reverted. Undefined when aborted.
   * @throws Failure `l1-refused` if L1 will never accept it, `l1-timeout` if L1 did not include it in time
   */
  send(candidate: TxCandidate, signal: AbortSignal): Promise<Inclusion | undefined>;
  /** Resolves when no candidate is in flight: those that were aborted send nothing any more. */
  idle(): Promise<void>;
}

/** Creates the transaction manager (op-service: `SimpleTxManager`). */
export function txManager(
  l1: L1Backend,
  account: Account,
  options: TxManagerOptions,
  log: Logger,
  clock: Channel = standaloneChannel(),
): TxManager {
  const { address } = account;
  const warn = limitedWarning(log);
  const publisher = createPublisher(l1, account, options.fees, log, clock, warn);
  const nonces = new NonceAllocator(l1, address);
  const gap = nonceGap(l1, publisher, log);
  const context: SendContext = { l1, address, options, log, clock, warn, publisher, nonces, gap };
  /** Candidates in flight. */
  const sends = new Set<Promise<unknown>>();
  return {
    address,
    send(candidate, signal) {
      const inclusion = new CandidateSend(context, candidate, signal).run();
      const over = inclusion.catch(() => {}).finally(() => sends.delete(over));
      sends.add(over);
      return inclusion;
    },
    async idle() {
      while (sends.size > 0) await Promise.all(sends);
    },
  };
}
