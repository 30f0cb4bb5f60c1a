import type { Hex } from '../../../protocol/types.ts';

/** Verdict on a payload or a head (specification: Engine API, PayloadStatusV1). ACCEPTED never comes: with every state on disk, side chains are executed too. */
export interface PayloadStatus {
  readonly status: 'VALID' | 'INVALID' | 'SYNCING';
  readonly latestValidHash: Hex | null;
  readonly validationError: string | null;
}

/** Ancestors are missing. */
export const SYNCING: PayloadStatus = { status: 'SYNCING', latestValidHash: null, validationError: null };

export function valid(hash: Hex): PayloadStatus {
  return { status: 'VALID', latestValidHash: hash, validationError: null };
}

/** `latestValidHash`: the newest valid ancestor; null where it cannot be told. */
export function invalid(latestValidHash: Hex | null, validationError: string): PayloadStatus {
  return { status: 'INVALID', latestValidHash, validationError };
}
