/** Of the main thread's time, what requests that read may take beside blocks. */
const SHARE = 0.1;
/** Milliseconds that they may have saved up, and the longest that one of them is expected to take. */
const MOST = 20;
const LONGEST = 2;
/** Part of what is expected of a method that its last request decides. */
const WEIGHT = 0.2;

/**
 * Which requests the main thread answers although another thread reads: those that are soon done, as long as there are few of them. A way through
 * another thread is longer: it waits for the main thread twice.
 */
export class MainThreadShare {
  /** Milliseconds that requests of a method took lately. */
  readonly #expected = new Map<string, number>();
  #left = MOST;
  #filled = performance.now();

  /** Whether there is time for a request of this method; not before one of them was seen. */
  has(method: string): boolean {
    const now = performance.now();
    this.#left = Math.min(MOST, this.#left + (now - this.#filled) * SHARE);
    this.#filled = now;
    const expected = this.#expected.get(method);
    return expected !== undefined && expected <= LONGEST && this.#left > 0;
  }

  /** The main thread has worked on one for so many milliseconds. */
  spent(method: string, ms: number): void {
    this.#left -= ms;
    this.seen(method, ms);
  }

  /** So long took one, wherever it was. */
  seen(method: string, ms: number): void {
    const before = this.#expected.get(method);
    this.#expected.set(method, before === undefined ? ms : before + WEIGHT * (ms - before));
  }
}
