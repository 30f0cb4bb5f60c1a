import type { Finality } from '../../../protocol/derivation/pipeline/finality.ts';
import type { AltDaInputs } from '../../../protocol/derivation/ports.ts';
import type { BlockId, L2BlockRef } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { EngineController } from '../engine/controller.ts';
import { isEngineError } from '../engine/error.ts';
import type { L1Tracker } from '../l1/l1-tracker.ts';
import type { Deriver } from '../loop/loop.ts';

/** The parts that the finalizer works with. */
export interface FinalizerOptions {
  readonly finality: Finality;
  readonly engine: EngineController;
  readonly heads: L1Tracker;
  /** With alternative DA, a finalized L1 block finalizes only commitments whose challenge window is over. */
  readonly altDa: Pick<AltDaInputs, 'finalizedBy'> | undefined;
  readonly log: Logger;
  readonly wake: () => void;
}

/** The deriver that finalizes L2 blocks. */
export interface Finalizer extends Deriver {
  /**
   * Returns the block that L1 finalizes now. The caller makes it final with its own move of the safe head, so that the
   * engine is called once. Returns undefined for none, and with alternative DA, where a step has to find it.
   */
  takeFinal(): L2BlockRef | undefined;
  /** Tries to finalize again: L1 finalized a block, or the safe head moved (op-node: `tryFinalize`). */
  tryFinalize(): void;
  /** The L1 block by which the newest L2 block was finalized; undefined before the first one of this process. */
  finalizedBy(): BlockId | undefined;
  /** Returns a function that restores the present state. */
  remember(): () => void;
}

/**
 * Creates the deriver that finalizes L2 blocks once their L1 data is finalized.
 * Counterpart in op-node: `Finalizer`, `AltDAFinalizer`, in kona: `L2Finalizer`.
 */
export function finalizer(options: FinalizerOptions): Finalizer {
  const { finality, engine, heads, log } = options;
  let isDue = false;
  let finalizedBy: BlockId | undefined;

  /** Returns the block that an L1 block finalizes, beyond the finalized head. */
  function finalBy(l1: BlockId): L2BlockRef | undefined {
    const block = finality.finalizedBy(l1);
    return block !== null && block.number > engine.heads().finalized.number ? block : undefined;
  }

  return {
    name: 'finality',
    takeFinal() {
      const l1 = heads.finalized;
      const block = options.altDa || !l1 ? undefined : finalBy(l1);
      if (block) finalizedBy = l1;
      return block;
    },
    async step() {
      if (!isDue || !engine.isReady || !heads.finalized) return null;
      isDue = false;
      const l1 = await finalFor(options, heads.finalized);
      const block = l1 && finalBy(l1);
      if (!block) return null;
      try {
        await engine.promoteFinalized(block);
        finalizedBy = l1;
        log.debug('finalized', { number: block.number, hash: block.hash, l1: l1.number });
      } catch (error) {
        if (!isEngineError(error, 'temporary', 'syncing', 'unauthorized', 'forkchoice')) throw error;
        log.warn('cannot finalize for now', { number: block.number, error });
      }
      return null;
    },
    tryFinalize() {
      isDue = true;
      options.wake();
    },
    finalizedBy: () => finalizedBy,
    remember() {
      const before = { isDue, finalizedBy, finality: finality.remember() };
      return () => {
        ({ isDue, finalizedBy } = before);
        before.finality();
      };
    },
  };
}

/** Returns the L1 block up to which derivation is final; null if it is not known. */
async function finalFor({ altDa, log }: FinalizerOptions, l1: BlockId): Promise<BlockId | null> {
  if (!altDa) return l1;
  try {
    return await altDa.finalizedBy(l1);
  } catch (error) {
    log.warn('cannot tell what is final for now', { error });
    return null;
  }
}
