import type { Hex } from '../../../protocol/types.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition.ts';

/** A transaction in the pool, as block building sees it. */
export interface PooledTransaction {
  readonly transaction: SignedTransaction;
  /** Order of arrival. */
  readonly arrival: number;
  /** The most that it can cost its sender at the fees of the head, wei. */
  readonly cost: bigint;
}

/**
 * Where a transaction stands: `pending` can go into the next block; `basefee` only lacks a fee cap as high as the base fee; `queued` waits for a
 * nonce before it, or for funds.
 */
export type SubPool = 'pending' | 'basefee' | 'queued';

/** A transaction in the pool. */
export interface PoolEntry extends PooledTransaction {
  /** The sender's address. */
  readonly key: Hex;
  /** Gas at the fee cap plus value, wei: the part of the cost that no block changes. */
  readonly fixedCost: bigint;
  cost: bigint;
  /** Units of 32 KiB that it takes of the pool. */
  readonly slots: number;
  /** Who signed its authorizations, each once. */
  readonly authorities: readonly Hex[];
  /** Under what circumstances it may go into a block. */
  readonly condition: TransactionCondition | undefined;
  /** Sent by a user of this node, whose transactions have privileges in some flavours. */
  readonly local: boolean;
  /** When it came, milliseconds of the pool's clock. */
  readonly since: number;
  /** undefined while it is not in the pool. */
  subPool: SubPool | undefined;
}
