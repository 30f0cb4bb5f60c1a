import type { L2BlockRef } from '../../../protocol/types.ts';
import type { RollupMetrics } from './names.ts';

/** A block whose number, hash and time are recorded. */
interface BlockRefValues {
  readonly hash: string;
  readonly number: number;
  /** Unix seconds. */
  readonly timestamp?: number;
}

/** The metrics of block references (op-service: `RefMetrics`). */
export class RefMetrics {
  readonly #metrics: RollupMetrics;
  /** Network clock, milliseconds. */
  readonly #now: () => number;
  /** Hash of the last block of each type, whose latency is recorded once. */
  readonly #hashes = new Map<string, string>();

  constructor(metrics: RollupMetrics, now: () => number) {
    this.#metrics = metrics;
    this.#now = now;
  }

  /** Records the reference of a block (op-service: `RecordRef`). */
  record(layer: string, type: string, block: BlockRefValues): void {
    const { refsNumber, refsHash, refsTime, refsLatency } = this.#metrics;
    refsNumber.set({ layer, type }, block.number);
    refsHash.set({ layer, type }, Number(Buffer.from(block.hash.slice(2, 18), 'hex').readBigUInt64LE()));
    if (!block.timestamp) return;
    refsTime.set({ layer, type }, block.timestamp);
    if (this.#hashes.get(type) === block.hash) return;
    this.#hashes.set(type, block.hash);
    refsLatency.set({ layer, type }, block.timestamp - this.#now() / 1000);
  }

  /** Records an L2 head and its L1 origin (op-service: `RecordL2Ref`). */
  recordL2(type: string, block: L2BlockRef): void {
    this.record('l2', type, block);
    this.record('l1_origin', type, block.l1origin);
    this.#metrics.refsSeqnr.set({ type }, block.sequenceNumber);
  }
}
