import type { L1BlockRef, L2BlockRef } from '../../types.ts';
import type { BatchReason } from './batch-reason.ts';

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

/** The result of a check, with the reason if the batch is not accepted. */
export type Verdict = { readonly validity: 'accept' } | Refusal;

/** A verdict other than `accept`. */
export interface Refusal {
  readonly validity: Exclude<BatchValidity, 'accept'>;
  readonly reason: BatchReason;
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
export const ACCEPT: Verdict = { validity: 'accept' };

/** Makes a verdict `drop`. */
export const drop = (reason: BatchReason): Refusal => ({ validity: 'drop', reason });

/** Makes a verdict `undecided`. */
export const undecidedVerdict = (reason: BatchReason): Refusal => ({ validity: 'undecided', reason });
