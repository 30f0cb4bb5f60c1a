import type { Hex, L2BlockRef } from '../../../protocol/types.ts';

/** The heads as the Engine API takes them (op-service: `ForkchoiceState`). */
export interface ForkchoiceState {
  readonly headBlockHash: Hex;
  readonly safeBlockHash: Hex;
  readonly finalizedBlockHash: Hex;
}

/**
 * The heads of the L2 chain (kona: `EngineSyncState`): finalized ≤ safe ≤ pending safe ≤ unsafe.
 * Specification: Engine Queue.
 * A pending safe block is derived from a span batch that is not complete.
 */
export interface Heads {
  readonly unsafe: L2BlockRef;
  readonly pendingSafe: L2BlockRef;
  readonly safe: L2BlockRef;
  readonly finalized: L2BlockRef;
}

/** Returns the forkchoice state of the heads. */
export function forkchoiceOf(heads: Heads): ForkchoiceState {
  return {
    headBlockHash: heads.unsafe.hash,
    safeBlockHash: heads.safe.hash,
    finalizedBlockHash: heads.finalized.hash,
  };
}
