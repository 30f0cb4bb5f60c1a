import type { SlotChain } from '../chain/chain.ts';

/** The time before which L1 makes no block. Slots before it stay empty: there is no burst of blocks at its end. */
export class Stall {
  /** Milliseconds of the network's clock. */
  #until = Number.NEGATIVE_INFINITY;
  #change = new AbortController();

  /** Aborted when the time is set. */
  get changed(): AbortSignal {
    return this.#change.signal;
  }

  /** Sets the time; infinite: until it is set again. */
  set(until: number): void {
    this.#until = until;
    const before = this.#change;
    this.#change = new AbortController();
    before.abort();
  }

  /** Returns the last slot that stays empty; infinite if all do. */
  lastSlot({ genesisTime, secondsPerSlot }: SlotChain): number {
    return Math.ceil((this.#until / 1000 - genesisTime) / secondsPerSlot) - 1;
  }
}
