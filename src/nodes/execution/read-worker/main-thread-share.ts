/** Share of the main thread's time for read requests. */
const SHARE = 0.1;
/** Maximum saved time, and maximum expected time of one request. Milliseconds. */
const MOST = 20;
const LONGEST = 2;
/** Weight of the last request in the expected time of a method. */
const WEIGHT = 0.2;

/**
 * Selects the short read requests that the main thread answers while the read worker runs.
 * They get a share of its time. A request to the worker waits for the main thread twice.
 */
export class MainThreadShare {
  /** Expected milliseconds by method. */
  readonly #expected = new Map<string, number>();
  #left = MOST;
  #filled = performance.now();

  /** Whether there is time for a request of this method. A method is measured once first. */
  has(method: string): boolean {
    const now = performance.now();
    this.#left = Math.min(MOST, this.#left + (now - this.#filled) * SHARE);
    this.#filled = now;
    const expected = this.#expected.get(method);
    return expected !== undefined && expected <= LONGEST && this.#left > 0;
  }

  /** Records milliseconds that the main thread spent on a request. */
  spent(method: string, ms: number): void {
    this.#left -= ms;
    this.seen(method, ms);
  }

  /** Records the duration of a request on either thread. */
  seen(method: string, ms: number): void {
    const before = this.#expected.get(method);
    this.#expected.set(method, before === undefined ? ms : before + WEIGHT * (ms - before));
  }
}
