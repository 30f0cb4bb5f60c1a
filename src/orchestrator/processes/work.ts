/** Work with processes that is under way, so that a teardown can wait for its end. */
export class Work {
  readonly #open = new Set<Promise<unknown>>();

  async track<T>(work: Promise<T>): Promise<T> {
    const quiet = work.catch(() => undefined);
    this.#open.add(quiet);
    void quiet.then(() => this.#open.delete(quiet));
    return work;
  }

  /** Resolves when all that is under way now has ended. */
  async end(): Promise<void> {
    await Promise.all(this.#open);
  }
}
