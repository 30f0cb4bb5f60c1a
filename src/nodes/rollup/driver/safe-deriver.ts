import type { L1BlockRef, L2BlockRef } from '../../../protocol/types.ts';
import type { Deriver } from '../loop/loop.ts';

/** What moves the safe head: derivation from L1, or another rollup node that is followed. */
export interface SafeDeriver extends Deriver {
  /** True when the safe head is that of all L1 data up to the head of L1 (op-node: `DeriverIdleEvent`). */
  readonly isExhausted: boolean;
  /** Continues with a new L1 head. */
  onL1Head(): void;
  /**
   * Stops until `reset`. Called before the safe head moves back, so that a batcher waits instead of posting its blocks
   * again.
   */
  suspend(): void;
  /** Starts over after the new safe head. */
  reset(safe: L2BlockRef): Promise<void>;
  /** Resolves when it makes no request. */
  idle(): Promise<void>;
  /** Returns a function that starts over after the present safe head, and sends no request. */
  remember(safe: L2BlockRef): Promise<() => Promise<void>>;
  /** The L1 block that the safe head has reached; undefined during an engine reset. */
  origin(): L1BlockRef | undefined;
}
