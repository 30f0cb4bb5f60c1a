/** Slots of a stepped clock that steps share. */
export interface SharedSlots {
  /** Resolves when the next slot is over. It begins when every step that runs waits for it. */
  pass(): Promise<void>;
  /** Runs steps at the same time, in place of the one that calls it. */
  together<T>(works: readonly (() => Promise<T>)[]): Promise<readonly T[]>;
}

/**
 * Creates the slots of one scenario, at first with one step. `advance` moves the clock by a slot.
 * With a slot begun earlier, the order in which steps reach the network would decide what is in it.
 */
export function sharedSlots(advance: () => Promise<void>): SharedSlots {
  let running = 1;
  let waiting: PromiseWithResolvers<void>[] = [];

  function advanceIfAllWait(): void {
    if (waiting.length === 0 || waiting.length < running) return;
    const released = waiting;
    waiting = [];
    void advance().then(
      () => {
        for (const each of released) each.resolve();
      },
      (error: unknown) => {
        for (const each of released) each.reject(error);
      },
    );
  }

  return {
    pass() {
      const slot = Promise.withResolvers<void>();
      waiting.push(slot);
      advanceIfAllWait();
      return slot.promise;
    },
    together(works) {
      let left = works.length;
      running += left - 1;
      return Promise.all(
        works.map((work) =>
          work().finally(() => {
            left -= 1;
            // The last one to end goes on as the step that ran them all.
            if (left === 0) return;
            running -= 1;
            advanceIfAllWait();
          }),
        ),
      );
    },
  };
}
