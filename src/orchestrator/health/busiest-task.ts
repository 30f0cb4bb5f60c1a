/** Share of a processor from which a task counts as busy. */
const BUSY_SHARE = 0.5;
/** Weight of the last round in the mean. */
const LAST_ROUND_WEIGHT = 0.3;

/** Tracks how much of a processor each task uses, as a mean of the last rounds. */
export class BusiestTask {
  readonly #shares = new Map<string, number>();

  /** Records the processor time (ms) of all tasks in the last `ms`. A task that is absent used none. */
  used(ran: ReadonlyMap<string, number>, ms: number): void {
    if (ms <= 0) return;
    for (const task of new Set([...this.#shares.keys(), ...ran.keys()])) {
      const before = this.#shares.get(task) ?? 0;
      this.#shares.set(task, before + LAST_ROUND_WEIGHT * ((ran.get(task) ?? 0) / ms - before));
    }
  }

  /** Returns the busiest of some tasks; undefined if none keeps half a processor busy. */
  among(tasks: ReadonlySet<string>): string | undefined {
    const busy = [...this.#shares].filter(([task, share]) => tasks.has(task) && share >= BUSY_SHARE);
    return busy.toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }
}
