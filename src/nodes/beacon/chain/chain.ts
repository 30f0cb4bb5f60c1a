import type { Hex } from '../../../protocol/types.ts';
import { type BlobPlace, blobPlaces, type JournalBlock } from './block.ts';

/** A block as the beacon API needs it; the blobs stay on disk. */
export interface ChainBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: number;
  /** Absent if the block has none. */
  readonly blobs?: readonly BlobPlace[];
}

/**
 * The L1 chain of the beacon API: blocks by number and by slot.
 * The rollup node finds the slot of an L1 block by its time (op-service: `GetTimeToSlotFn`).
 */
export class SlotChain {
  readonly genesisTime: number;
  readonly secondsPerSlot: number;
  /** Genesis is never removed. */
  readonly #blocks: [ChainBlock, ...ChainBlock[]];
  readonly #waiting = new Set<() => void>();
  #isAnnounced = true;

  constructor(genesis: ChainBlock, secondsPerSlot: number) {
    const { number, hash, parentHash, timestamp } = genesis;
    this.genesisTime = timestamp;
    this.secondsPerSlot = secondsPerSlot;
    this.#blocks = [{ number, hash, parentHash, timestamp }];
  }

  get head(): ChainBlock {
    return this.#blocks.at(-1) ?? this.#blocks[0];
  }

  /** False after a rollback until the next block: L1 announces blocks alone, so no process may know this head. */
  get isHeadAnnounced(): boolean {
    return this.#isAnnounced;
  }

  get headSlot(): number {
    return this.slotAt(this.head.timestamp);
  }

  /** Returns the slot of the block so many blocks below the head; that of genesis on a shorter chain. */
  slotBehindHead(depth: number): number {
    return this.slotAt((this.#blocks.at(-1 - depth) ?? this.#blocks[0]).timestamp);
  }

  block(number: number): ChainBlock | undefined {
    return this.#blocks[number];
  }

  push(block: JournalBlock): void {
    const { number, hash, parentHash, timestamp } = block;
    const blobs = blobPlaces(block);
    this.#blocks.push({ number, hash, parentHash, timestamp, ...(blobs.length === 0 ? {} : { blobs }) });
    this.#isAnnounced = true;
    for (const notify of this.#waiting) notify();
  }

  /** Resolves when the head reaches a slot, or after `timeoutMs`. L1 announces a block before it is in the journal. */
  async reached(slot: number, timeoutMs: number): Promise<void> {
    if (this.headSlot >= slot) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const check = () => this.headSlot >= slot && done();
      const timer = setTimeout(done, timeoutMs);
      this.#waiting.add(check);
    });
  }

  /** Notes that L1 has rolled a block back that is not of this chain. */
  noteRollback(): void {
    this.#isAnnounced = false;
  }

  /** Removes every block above `number`. */
  rollback(number: number): void {
    const tail = this.#blocks.splice(Math.max(number, 0) + 1);
    if (tail.length > 0) this.noteRollback();
  }

  /** Returns the slot at a Unix time. */
  slotAt(timestamp: number): number {
    return Math.floor((timestamp - this.genesisTime) / this.secondsPerSlot);
  }

  /** Returns the Unix time at which a slot begins (lodestar: `computeTimeAtSlot`). */
  timeOf(slot: number): number {
    return this.genesisTime + slot * this.secondsPerSlot;
  }

  /** Returns the blocks of a slot: none if it was missed, several only if another process mined too. */
  blocksIn(slot: number): readonly ChainBlock[] {
    const from = this.#firstAt(this.timeOf(slot));
    const to = this.#firstAt(this.timeOf(slot + 1));
    return this.#blocks.slice(from, to);
  }

  /** Returns the number of the first block at or after a time. */
  #firstAt(time: number): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#blocks[middle]?.timestamp ?? time) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
