import type { Hex } from '../../../../protocol/types.ts';

/**
 * Condition under which a block may include a transaction (`TransactionConditional` of op-geth). Bounds are inclusive.
 */
export interface TransactionCondition {
  /** By address: the storage root, or storage words by slot. 32 bytes each. */
  readonly knownAccounts: ReadonlyMap<Hex, Hex | ReadonlyMap<Hex, Hex>>;
  readonly blockNumberMin: bigint | undefined;
  readonly blockNumberMax: bigint | undefined;
  readonly timestampMin: bigint | undefined;
  readonly timestampMax: bigint | undefined;
}

/** The state that a condition is checked against. 32 bytes each. */
export interface ConditionState {
  storageRoot(address: Hex): Hex;
  word(address: Hex, slot: Hex): Hex;
}

/** Returns how many lookups the check of a condition takes (op-geth: `TransactionConditional.Cost`). */
export function conditionCost(condition: TransactionCondition): number {
  const { knownAccounts, blockNumberMin, blockNumberMax, timestampMin, timestampMax } = condition;
  let cost = 0;
  for (const storage of knownAccounts.values()) cost += 1 + (typeof storage === 'string' ? 1 : storage.size);
  if (blockNumberMin !== undefined || blockNumberMax !== undefined) cost++;
  if (timestampMin !== undefined || timestampMax !== undefined) cost++;
  return cost;
}

/** Returns the error of a condition that no block can satisfy (op-geth: `TransactionConditional.Validate`). */
export function contradiction(condition: TransactionCondition): string | undefined {
  const { blockNumberMin, blockNumberMax, timestampMin, timestampMax } = condition;
  if (blockNumberMin !== undefined && blockNumberMax !== undefined && blockNumberMin > blockNumberMax)
    return 'block number minimum constraint must be less than the maximum';
  if (timestampMin !== undefined && timestampMax !== undefined && timestampMin > timestampMax)
    return 'timestamp minimum constraint must be less than the maximum';
  return undefined;
}

/**
 * Returns the error if a block of this number and time (Unix seconds) violates the condition.
 * Counterpart in op-geth: `Header.CheckTransactionConditional`.
 */
export function brokenByHeader(condition: TransactionCondition, number: bigint, time: bigint): string | undefined {
  const { blockNumberMin, blockNumberMax, timestampMin, timestampMax } = condition;
  if (blockNumberMin !== undefined && blockNumberMin > number) return 'failed block number minimum constraint';
  if (blockNumberMax !== undefined && blockNumberMax < number) return 'failed block number maximmum constraint';
  if (timestampMin !== undefined && timestampMin > time) return 'failed timestamp minimum constraint';
  if (timestampMax !== undefined && timestampMax < time) return 'failed timestamp maximum constraint';
  return undefined;
}

/** A state that violates a condition. */
export type StateProblem =
  | { readonly kind: 'root'; readonly actual: Hex; readonly expected: Hex }
  | { readonly kind: 'word'; readonly slot: Hex; readonly actual: Hex; readonly expected: Hex };

/** Returns the first value of a state that violates the condition (op-geth: `StateDB.CheckTransactionConditional`). */
export function brokenByState(
  { knownAccounts }: TransactionCondition,
  state: ConditionState,
): StateProblem | undefined {
  for (const [address, storage] of knownAccounts) {
    if (typeof storage === 'string') {
      const actual = state.storageRoot(address);
      if (actual !== storage) return { kind: 'root', actual: actual, expected: storage };
      continue;
    }
    for (const [slot, expected] of storage) {
      const actual = state.word(address, slot);
      if (actual !== expected) return { kind: 'word', slot, actual: actual, expected };
    }
  }
  return undefined;
}
