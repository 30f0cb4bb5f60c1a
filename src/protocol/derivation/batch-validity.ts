import type { L1BlockRef, L2BlockRef } from '../types.ts';

/** What becomes of a batch (specification: Batch Queue). */
export type BatchValidity =
  /** Invalid, and will be as long as L1 is not reorganised. */
  | 'drop'
  /** To be processed now. */
  | 'accept'
  /** More L1 blocks are needed to tell. */
  | 'undecided'
  /** Perhaps valid, but not yet: it does not begin at the next L2 block. */
  | 'future'
  /** Its L2 blocks are safe already; skipped silently (from holocene's rules on, `drop` before). */
  | 'past';

/** The verdict with its reason in words, for the log. */
export interface Verdict {
  readonly validity: BatchValidity;
  readonly reason: string;
}

/** What a batch is judged by. */
export interface BatchContext {
  /** Consecutive L1 blocks, the first of them the safe head's L1 origin or its child. */
  readonly l1Blocks: readonly L1BlockRef[];
  readonly safeHead: L2BlockRef;
  /** The L1 block that completed the batch. */
  readonly inclusion: L1BlockRef;
}

export const ACCEPT: Verdict = { validity: 'accept', reason: 'valid' };

/** A verdict `drop`. */
export const drop = (reason: string): Verdict => ({ validity: 'drop', reason });

/** A verdict `undecided`. */
export const undecided = (reason: string): Verdict => ({ validity: 'undecided', reason });
