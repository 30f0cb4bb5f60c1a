/** Milliseconds after the start in which a program is busy with itself. */
const START = 5000;
/** Milliseconds between two looks, at least. */
const SPAN = 500;
/** Share of the thread's time from which on requests and blocks hold each other up. */
const MUCH = 0.5;
/** Looks one after another that must find it so. */
const LOOKS = 2;

/** Whether the main thread has more to do than requests can wait for. Looked at where one comes: without requests it does not matter. */
export class EventLoopLoad {
  #since = performance.now() + START;
  /** Node loads what measures it when it is asked first: not while the program starts. */
  #before: ReturnType<typeof performance.eventLoopUtilization> | undefined;
  #found = 0;
  #isContended = false;

  /** `isContended`: other requests or blocks are worked on at this moment. One request after another holds nobody up, however much they are. */
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
