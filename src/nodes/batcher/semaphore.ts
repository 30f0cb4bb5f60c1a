/** A counting semaphore; waiters are served in order. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `count` 0: no limit. */
  constructor(count: number) {
    this.#free = count === 0 ? Number.POSITIVE_INFINITY : count;
  }

  /** Resolves with the function that releases the permit. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
