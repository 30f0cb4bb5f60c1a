/** Milliseconds of work in one turn of the event loop. */
const SLICE = 1;

/**
 * Spreads short tasks of many requests over turns of the event loop.
 * Without it, Node handles all requests of a burst before any other event.
 */
export class Scheduler {
  readonly #waiting: (() => void)[] = [];
  /** Start of the first task of this turn. */
  #begun: number | undefined;
  #isWorking = false;

  /** Resolves when a task may start. undefined: it may start now. */
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

  /** Waits for a started task, then starts others while there is time. */
  async #follow(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      // The synchronous part of the task is done then, including its response.
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
