/** Milliseconds of each turn of the event loop. */
const SLICE = 1;

/**
 * Lets short works of many requests pass one after another, and after some of them whatever else waits: they come in crowds, and Node answers
 * all that have come before it looks at anything else.
 */
export class Scheduler {
  readonly #waiting: (() => void)[] = [];
  /** When the first work of this turn of the event loop began. */
  #begun: number | undefined;
  #isWorking = false;

  /** Resolves when a work may begin; undefined where it may at once. */
  next(): Promise<void> | undefined {
    if (this.#isWorking || this.#waiting.length > 0 || this.#isOver())
      return new Promise((resolve) => {
        this.#waiting.push(resolve);
      });
    if (this.#begun === undefined) this.#begin();
    void this.#follow();
    return undefined;
  }

  #begin(): void {
    this.#begun = performance.now();
    setImmediate(() => this.#beginAnew());
  }

  #beginAnew(): void {
    this.#begun = undefined;
    const first = this.#waiting.shift();
    if (first === undefined) return;
    this.#begin();
    first();
    void this.#follow();
  }

  /** Waits for a work that was let go, then lets those go on for which there is time. */
  async #follow(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      // All that the work does at once is done then, its answer included.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      const next = this.#isOver() ? undefined : this.#waiting.shift();
      if (next === undefined) break;
      next();
    }
    this.#isWorking = false;
  }

  #isOver(): boolean {
    return this.#begun !== undefined && performance.now() - this.#begun >= SLICE;
  }
}
