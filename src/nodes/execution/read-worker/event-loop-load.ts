/** Milliseconds after the start that are not measured. */
const START = 5000;
/** Minimum milliseconds between two measurements. */
const SPAN = 500;
/** Utilization of the event loop above which requests and blocks delay each other. */
const MUCH = 0.5;
/** Consecutive measurements that must exceed it. */
const LOOKS = 2;

/** Measures whether the main thread is too busy for read requests. Each request triggers a measurement. */
export class EventLoopLoad {
  #since = performance.now() + START;
  /** Node loads the measurement at its first use, so it is not used during start-up. */
  #before: ReturnType<typeof performance.eventLoopUtilization> | undefined;
  #found = 0;
  #isContended = false;

  /**
   * Returns whether the event loop is overloaded.
   * `isContended`: other requests or blocks are being processed. Sequential requests alone are no overload.
   */
  isOverloaded(isContended: boolean): boolean {
    const now = performance.now();
    this.#isContended ||= isContended;
    if (now < this.#since) return false;
    if (this.#before === undefined) {
      this.#before = performance.eventLoopUtilization();
      this.#since = now;
    }
    if (now - this.#since < SPAN) return false;
    const { utilization } = performance.eventLoopUtilization(this.#before);
    this.#since = now;
    this.#before = performance.eventLoopUtilization();
    this.#found = this.#isContended && utilization > MUCH ? this.#found + 1 : 0;
    this.#isContended = false;
    return this.#found >= LOOKS;
  }
}
