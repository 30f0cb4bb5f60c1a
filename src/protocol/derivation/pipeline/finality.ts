import type { BlockId, L1BlockRef, L2BlockRef } from '../../types.ts';

/**
 * Records the L1 block from which each safe head was derived (op-node: `Finalizer`, `FinalityData`).
 * A finalized L1 block finalizes the L2 blocks derived from it. Specification: Engine Queue, Finalization.
 */
export interface Finality {
  /** Records the safe head that follows from the L1 data up to and including `derivedFrom`. */
  safeHead(derivedFrom: L1BlockRef, head: L2BlockRef): void;
  /** Returns the newest L2 block that the finality of `l1` finalizes; null for none beyond the block finalized last. */
  finalizedBy(l1: BlockId): L2BlockRef | null;
  /** Drops safe heads derived from L1 blocks of this number and higher (a reorg), or all. */
  reset(fromL1Number?: number): void;
  /** Returns a function that restores the present entries. */
  remember(): () => void;
}

/** Creates an empty record. It holds one entry per L1 block that advanced the safe head and is not final yet. */
export function createFinality(): Finality {
  /** Ascending by L1 number. */
  let entries: { readonly derivedFrom: BlockId; readonly head: L2BlockRef }[] = [];
  let finalized = -1;

  return {
    safeHead(derivedFrom, head) {
      entries = entries.filter((entry) => entry.derivedFrom.number < derivedFrom.number);
      entries.push({ derivedFrom, head });
    },
    finalizedBy(l1) {
      const reached = entries.findLast(({ derivedFrom }) => derivedFrom.number <= l1.number);
      if (reached === undefined) return null;
      if (reached.derivedFrom.number === l1.number && reached.derivedFrom.hash !== l1.hash) return null;
      entries = entries.filter(({ derivedFrom }) => derivedFrom.number > l1.number);
      if (reached.head.number <= finalized) return null;
      finalized = reached.head.number;
      return reached.head;
    },
    reset(fromL1Number = 0) {
      entries = entries.filter(({ derivedFrom }) => derivedFrom.number < fromL1Number);
    },
    remember() {
      const checkpoint = { entries: [...entries], finalized };
      return () => {
        entries = [...checkpoint.entries];
        finalized = checkpoint.finalized;
      };
    },
  };
}
