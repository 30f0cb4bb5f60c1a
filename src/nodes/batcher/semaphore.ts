/** A number of places; who finds none waits for one, in the order of asking. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `count` 0: any number. */
  constructor(count: number) {
    this.#free = count === 0 ? Number.POSITIVE_INFINITY : count;
  }

  /** Resolves with what gives the place back. */
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
