import type { L1BlockRef, L2BlockRef, PayloadAttributes } from '../types.ts';

/**
 * Payload attributes derived from L1 for the child of `parent` (op-node: `AttributesWithParent`).
 * Counterpart in kona: `OpAttributesWithParent`.
 */
export interface AttributesWithParent {
  readonly attributes: PayloadAttributes;
  readonly parent: L2BlockRef;
  /** The L1 block whose data completed the derivation of these attributes: the block becomes safe because of it. */
  readonly derivedFrom: L1BlockRef;
  /**
   * True for the last attributes of their batch (op-node: `Concluding`, kona: `is_last_in_span`).
   * Blocks before that are only pending safe: a span batch becomes safe as a whole.
   */
  readonly concluding: boolean;
}

/**
 * Result of one step of the pipeline (kona: `StepResult`).
 * A step throws nothing: errors of ports come as `retry`, contradictions with L1 or L2 as `reset`.
 */
export type StepOutcome =
  /** Build or consolidate these, then step again with the new (pending) safe head. They are given once. */
  | { readonly kind: 'attributes'; readonly attributes: AttributesWithParent }
  /** L1 traversal advanced to this L1 block. */
  | { readonly kind: 'advanced-origin'; readonly origin: L1BlockRef }
  /** Some stage made progress; step again at once. */
  | { readonly kind: 'more' }
  /** L1 has no further block yet; step again when its head moves. */
  | { readonly kind: 'eof' }
  /** A port failed for now; step again after a pause. */
  | { readonly kind: 'retry'; readonly error: Error }
  /**
   * L1 was reorganised or contradicts the L2 chain. The caller runs `findSyncStart`, sets the engine's heads, calls
   * `reset`, and steps again.
   */
  | { readonly kind: 'reset'; readonly error: Error }
  /** Neither new input nor a retry can help (the configuration contradicts the chain). */
  | { readonly kind: 'fatal'; readonly error: Error };

/** The outcomes that are for the caller to act upon. */
export type ActionableOutcome = Exclude<StepOutcome, { readonly kind: 'more' | 'advanced-origin' }>;

/** Reaction to a payload that the engine called INVALID. */
export type InvalidPayloadOutcome =
  /** Try these, the same with deposits only (holocene); the rest of the channel was dropped. */
  | { readonly kind: 'deposits-only'; readonly attributes: AttributesWithParent }
  /** The batch was dropped: go back from the pending safe head to the safe head and step again. */
  | { readonly kind: 'dropped' }
  /** Even the deposits alone are invalid: engine and rollup configuration disagree. */
  | { readonly kind: 'fatal'; readonly error: Error };
