/** The longest time (ms) that a leader has to make a block, after several that made none. */
const MAX_LIMIT_MS = 60_000;

/**
 * Tells whether the leader makes no blocks that are due, although it answers. The conductor may be out of its reach, or
 * its engine is stuck. Times are monotonic milliseconds, if not of the network's clock.
 */
export class Stall {
  readonly #lease: number;
  #limit: number;
  #since = performance.now();

  constructor(lease: number) {
    this.#lease = lease;
    this.#limit = lease;
  }

  /** The leader has committed a block. */
  committed(): void {
    this.#limit = this.#lease;
    this.renew();
  }

  /** Another member leads. It has twice the time: if none can make blocks, the lead does not go round all the time. */
  changed(): void {
    this.#limit = Math.min(2 * this.#limit, MAX_LIMIT_MS);
    this.renew();
  }

  /** Counts from now on: this program stood still, or the leader has just started. */
  renew(): void {
    this.#since = performance.now();
  }

  /** `headTime`, `now`: Unix ms of the network's clock. The block after the head is due one lease after it. */
  isOver(headTime: number, now: number): boolean {
    if (headTime + this.#lease > now) this.renew();
    return performance.now() - this.#since > this.#limit;
  }
}
