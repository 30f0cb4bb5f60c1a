import type { SingularBatch } from '../../codec/singular-batch.ts';
import type { L1BlockRef, L2BlockRef } from '../../types.ts';
import { l1RefOf } from '../attributes/block-ref.ts';
import { DerivationError } from '../error.ts';
import type { DerivationLog, Rollup } from '../ports.ts';
import type { HasOrigin } from './stage.ts';

/**
 * Keeps the consecutive L1 blocks against which a batch stage checks batches (op-node: `baseBatchStage`).
 * They reach from the safe head's L1 origin to the pipeline's, and survive a swap of the stage.
 */
export interface BaseBatchStage {
  /** The blocks. The first is the safe head's L1 origin, or its child once empty batches filled the origin's epoch. */
  blocks(): readonly L1BlockRef[];
  /** The L1 block whose data is being read. */
  origin(): L1BlockRef;
  /** Tells whether the pipeline is before the safe head's L1 origin (op-node: `originBehind`). */
  isBehind(parent: L2BlockRef): boolean;
  /** Adds the pipeline's origin and drops blocks before the safe head's (op-node: `updateOrigins`). */
  update(parent: L2BlockRef): void;
  /**
   * Checks that the first block is the epoch of the safe head or the next one.
   * @throws DerivationError (reset) if it is another, because the safe head is of another L1 chain
   */
  checkEpoch(parent: L2BlockRef): void;
  /**
   * Returns an empty batch if the sequencing window of the first epoch is over (op-node: `deriveNextEmptyBatch`).
   * Returns null if it is not, or if the epoch is full; in that case the first block moves to the next epoch.
   * `outOfData`: all batches of the pipeline's origin were read.
   */
  nextEmptyBatch(parent: L2BlockRef, outOfData: boolean): SingularBatch | null;
  reset(origin: L1BlockRef): void;
}

/** Creates the stage. It follows the origin of the stage below. */
export function createBaseBatchStage(rollup: Rollup, below: HasOrigin, log?: DerivationLog): BaseBatchStage {
  const { seq_window_size: windowSize, block_time: blockTime } = rollup.config;
  let blocks: L1BlockRef[] = [];
  let origin: L1BlockRef | null = null;
  const isBehind = (parent: L2BlockRef) => below.origin().number < parent.l1origin.number;

  return {
    blocks: () => blocks,
    origin: () => origin ?? below.origin(),
    isBehind,
    update(parent) {
      const current = l1RefOf(below.origin());
      if (origin?.hash !== current.hash) {
        origin = current;
        if (isBehind(parent)) blocks = [];
        else blocks.push(current);
      }
      const first = blocks.findIndex(({ number }) => number === parent.l1origin.number);
      if (first > 0) blocks = blocks.slice(first);
    },
    checkEpoch({ l1origin, number }) {
      const [epoch] = blocks;
      if (epoch !== undefined && (epoch.hash === l1origin.hash || epoch.number === l1origin.number + 1)) return;
      throw new DerivationError(
        'reset',
        `derivation is in epoch ${epoch?.number ?? 'none'} (${epoch?.hash ?? 'none'}), ` +
          `the safe head ${number} has L1 origin ${l1origin.number} (${l1origin.hash})`,
      );
    },
    nextEmptyBatch(parent, outOfData) {
      const [epoch, nextEpoch] = blocks;
      if (epoch === undefined || nextEpoch === undefined) return null;
      const expiry = epoch.number + windowSize;
      const current = below.origin().number;
      if (!(expiry < current || (expiry === current && outOfData))) return null;
      const timestamp = parent.timestamp + blockTime;
      const firstOfEpoch = epoch.number === parent.l1origin.number + 1;
      if (timestamp < nextEpoch.timestamp || firstOfEpoch) {
        log?.('info', 'the sequencing window is over, deriving an empty block', { epoch: epoch.number, timestamp });
        return { parentHash: parent.hash, epochNum: epoch.number, epochHash: epoch.hash, timestamp, transactions: [] };
      }
      blocks = blocks.slice(1);
      return null;
    },
    reset(base) {
      origin = l1RefOf(base);
      blocks = [origin];
    },
  };
}
