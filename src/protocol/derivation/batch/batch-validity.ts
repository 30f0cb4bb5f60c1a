import type { L1BlockRef, L2BlockRef } from '../../types.ts';

/** Result of the check of a batch (op-node, kona: `BatchValidity`; specification: Batch Queue). */
export type BatchValidity =
  /** Invalid as long as L1 is not reorganised. */
  | 'drop'
  /** To be processed now. */
  | 'accept'
  /** More L1 blocks are needed for the check. */
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

/** The chain state against which a batch is checked. */
export interface BatchContext {
  /** Consecutive L1 blocks, the first of them the safe head's L1 origin or its child. */
  readonly l1Blocks: readonly L1BlockRef[];
  readonly safeHead: L2BlockRef;
  /** The L1 block that completed the batch. */
  readonly inclusion: L1BlockRef;
}

/** The verdict `accept`. */
export const ACCEPT: Verdict = { validity: 'accept', reason: 'valid' };

/** Makes a verdict `drop`. */
export const drop = (reason: string): Verdict => ({ validity: 'drop', reason });

/** Makes a verdict `undecided`. */
export const undecided = (reason: string): Verdict => ({ validity: 'undecided', reason });
