import type { Hex } from '../../../protocol/types.ts';

/** Verdict on a payload or a head (specification: Engine API, PayloadStatusV1). */
export interface PayloadStatus {
  readonly status: 'VALID' | 'INVALID' | 'SYNCING' | 'ACCEPTED';
  readonly latestValidHash: Hex | null;
  readonly validationError: string | null;
}

/** Ancestors are missing. */
export const SYNCING: PayloadStatus = { status: 'SYNCING', latestValidHash: null, validationError: null };

/** Nothing speaks against the block, and its parent is known, but that one's state is not kept: it is executed when a forkchoice names it. */
export const ACCEPTED: PayloadStatus = { status: 'ACCEPTED', latestValidHash: null, validationError: null };

export function valid(hash: Hex): PayloadStatus {
  return { status: 'VALID', latestValidHash: hash, validationError: null };
}

/** `latestValidHash`: the newest valid ancestor; null where it cannot be told. */
export function invalid(latestValidHash: Hex | null, validationError: string): PayloadStatus {
  return { status: 'INVALID', latestValidHash, validationError };
}
