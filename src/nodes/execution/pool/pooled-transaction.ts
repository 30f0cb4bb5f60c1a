import type { Hex } from '../../../protocol/types.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { TransactionCondition } from './condition/condition.ts';

/** A pooled transaction, as the payload builder needs it. */
export interface PooledTransaction {
  readonly transaction: SignedTransaction;
  /** Order of arrival. */
  readonly arrival: number;
  /** Maximum cost for the sender at the fees of the head, in wei. */
  readonly cost: bigint;
}

/**
 * Sub-pool of a transaction (reth: `SubPool`).
 * `pending` can run in the next block. `basefee` only has a fee cap below the base fee. `queued` lacks an earlier nonce
 * or funds.
 */
export type SubPool = 'pending' | 'basefee' | 'queued';

/** A transaction in the pool (reth: `ValidPoolTransaction`). */
export interface PoolEntry extends PooledTransaction {
  /** Address of the sender. */
  readonly key: Hex;
  /** Gas at the fee cap plus value in wei: the cost without the fees of the block. */
  readonly fixedCost: bigint;
  cost: bigint;
  /** Slots of 32 KiB that it takes. */
  readonly slots: number;
  /** Addresses that signed its authorizations, without duplicates. */
  readonly authorities: readonly Hex[];
  /** Condition for its inclusion in a block. */
  readonly condition: TransactionCondition | undefined;
  /** Sent by a user of this node. Some flavours privilege such transactions. */
  readonly local: boolean;
  /** Time of arrival, milliseconds of the pool's clock. */
  readonly since: number;
  /** undefined while the transaction is not in the pool. */
  subPool: SubPool | undefined;
}
