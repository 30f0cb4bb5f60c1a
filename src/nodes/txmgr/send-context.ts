import type { Hex } from '../../protocol/types.ts';
import type { Quiesce } from '../../system/channel/quiesce.ts';
import type { Logger } from '../../system/program/log.ts';
import type { Clock } from '../../system/time/clock.ts';
import type { FeePolicy } from './fees.ts';
import type { L1Backend } from './l1-backend.ts';
import type { LimitedWarning } from './limited-warning.ts';
import type { NonceAllocator } from './nonce-allocator.ts';
import type { NonceGap } from './nonce-gap.ts';
import type { Publisher } from './pending-transaction.ts';

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

/** The parts that all sends of one account share. */
export interface SendContext {
  readonly l1: L1Backend;
  readonly address: Hex;
  readonly options: TxManagerOptions;
  readonly log: Logger;
  readonly clock: Clock & Quiesce;
  readonly warn: LimitedWarning;
  readonly publisher: Publisher;
  readonly nonces: NonceAllocator;
  readonly gap: NonceGap;
}
