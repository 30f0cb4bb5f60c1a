import type { Hex } from '../../../protocol/types.ts';

/** Status of a payload or a head (specification: Engine API, PayloadStatusV1; geth: `PayloadStatusV1`). */
export interface PayloadStatus {
  readonly status: 'VALID' | 'INVALID' | 'SYNCING' | 'ACCEPTED';
  readonly latestValidHash: Hex | null;
  readonly validationError: string | null;
}

/** Ancestors of the block are missing. */
export const SYNCING: PayloadStatus = { status: 'SYNCING', latestValidHash: null, validationError: null };

/** The parent is known, but its state is pruned. The block is executed when a forkchoice names it. */
export const ACCEPTED: PayloadStatus = { status: 'ACCEPTED', latestValidHash: null, validationError: null };

/** Returns the status of a valid block. */
export function valid(hash: Hex): PayloadStatus {
  return { status: 'VALID', latestValidHash: hash, validationError: null };
}

/**
 * Returns the status of an invalid block. `latestValidHash` is the newest valid ancestor, or null if it is unknown.
 */
export function invalid(latestValidHash: Hex | null, validationError: string): PayloadStatus {
  return { status: 'INVALID', latestValidHash, validationError };
}
