import type { Hex } from '../../../protocol/types.ts';

/** What must hold for a transaction to go into a block (ERC-7796's `TransactionConditional`); bounds are inclusive. */
export interface TransactionCondition {
  /** By address: the storage root, or words by slot. */
  readonly knownAccounts: ReadonlyMap<Hex, Hex | ReadonlyMap<Hex, Hex>>;
  readonly blockNumberMin?: bigint;
  readonly blockNumberMax?: bigint;
  readonly timestampMin?: bigint;
  readonly timestampMax?: bigint;
}
