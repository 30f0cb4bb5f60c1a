import type { BlockOverrides } from '../call/call-arguments.ts';
import type { CallBlock } from '../call/call-evm.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockTag } from './block-tag.ts';

/**
 * Returns the block overrides of a call. On L1 `pending` is the block after the head, whose code can read the hash of
 * the head (geth: `Pending`). On L2 it is the head, as in op-geth without `rollup.computependingblock`.
 */
export function overridesAt(
  { definition }: Pick<Chain, 'definition'>,
  tag: BlockTag | null | undefined,
  { hash, header }: CallBlock,
  overrides: BlockOverrides | null | undefined,
): BlockOverrides | null | undefined {
  if (tag !== 'pending' || definition.optimism !== undefined) return overrides;
  return {
    number: header.number + 1,
    timestamp: header.timestamp + 1n,
    ...overrides,
    hashes: new Map([[header.number, hash], ...(overrides?.hashes ?? [])]),
  };
}
