import type { Hex } from '../../../protocol/types.ts';

/** What must hold for a transaction to go into a block (`TransactionConditional` of the clients); bounds are inclusive. */
export interface TransactionCondition {
  /** By address: the root of its storage, or words by slot. 32 bytes each. */
  readonly knownAccounts: ReadonlyMap<Hex, Hex | ReadonlyMap<Hex, Hex>>;
  readonly blockNumberMin: bigint | undefined;
  readonly blockNumberMax: bigint | undefined;
  readonly timestampMin: bigint | undefined;
  readonly timestampMax: bigint | undefined;
}

/** The state that a condition is held against; 32 bytes each. */
export interface ConditionState {
  storageRoot(address: Hex): Hex;
  word(address: Hex, slot: Hex): Hex;
}

/** How many look-ups it takes to check a condition. */
export function conditionCost(condition: TransactionCondition): number {
  const { knownAccounts, blockNumberMin, blockNumberMax, timestampMin, timestampMax } = condition;
  let cost = 0;
  for (const known of knownAccounts.values()) cost += 1 + (typeof known === 'string' ? 1 : known.size);
  if (blockNumberMin !== undefined || blockNumberMax !== undefined) cost++;
  if (timestampMin !== undefined || timestampMax !== undefined) cost++;
  return cost;
}

/** What of the condition no block can satisfy. */
export function contradiction(condition: TransactionCondition): string | undefined {
  const { blockNumberMin, blockNumberMax, timestampMin, timestampMax } = condition;
  if (blockNumberMin !== undefined && blockNumberMax !== undefined && blockNumberMin > blockNumberMax)
    return 'block number minimum constraint must be less than the maximum';
  if (timestampMin !== undefined && timestampMax !== undefined && timestampMin > timestampMax)
    return 'timestamp minimum constraint must be less than the maximum';
  return undefined;
}

/** What of the condition a block of this number and time (Unix seconds) breaks. */
export function brokenByHeader(condition: TransactionCondition, number: bigint, time: bigint): string | undefined {
  const { blockNumberMin, blockNumberMax, timestampMin, timestampMax } = condition;
  if (blockNumberMin !== undefined && blockNumberMin > number) return 'failed block number minimum constraint';
  if (blockNumberMax !== undefined && blockNumberMax < number) return 'failed block number maximmum constraint';
  if (timestampMin !== undefined && timestampMin > time) return 'failed timestamp minimum constraint';
  if (timestampMax !== undefined && timestampMax < time) return 'failed timestamp maximum constraint';
  return undefined;
}

/** What of a condition some state breaks. */
export type StateProblem =
  | { readonly kind: 'root'; readonly found: Hex; readonly expected: Hex }
  | { readonly kind: 'word'; readonly slot: Hex; readonly found: Hex; readonly expected: Hex };

export function brokenByState(
  { knownAccounts }: TransactionCondition,
  state: ConditionState,
): StateProblem | undefined {
  for (const [address, known] of knownAccounts) {
    if (typeof known === 'string') {
      const found = state.storageRoot(address);
      if (found !== known) return { kind: 'root', found, expected: known };
      continue;
    }
    for (const [slot, expected] of known) {
      const found = state.word(address, slot);
      if (found !== expected) return { kind: 'word', slot, found, expected };
    }
  }
  return undefined;
}
