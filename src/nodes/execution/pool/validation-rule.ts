import type { HeadState } from './head-state.ts';
import type { TransactionLookup } from './lookup.ts';
import type { PoolEntry } from './pooled-transaction.ts';
import type { PoolSettings } from './settings.ts';

/** State that a validation rule may read. */
export interface ValidationInput {
  readonly entry: PoolEntry;
  readonly head: HeadState;
  readonly settings: PoolSettings;
  readonly lookup: TransactionLookup;
}

/** One rule that a transaction must satisfy to enter the pool. @throws PoolError */
export type ValidationRule = (entering: ValidationInput) => void;
