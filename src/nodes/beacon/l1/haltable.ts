/** Work that runs until it is halted, and again after that. */
export interface Haltable {
  /** Runs the work until `signal` is aborted, or until it fails. */
  run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Ends the work, and resolves when it has ended. */
  halt(): Promise<void>;
  /** Lets the work run again. */
  goOn(): void;
}

/** Creates work that is not halted. */
export function haltable(): Haltable {
  let present = { ending: new AbortController(), done: Promise.resolve() };
  let awake = Promise.resolve();
  let wake = () => {};
  return {
    async run(work, signal) {
      // Halted work ends with its signal, too.
      signal.addEventListener('abort', () => wake(), { once: true });
      while (!signal.aborted) {
        await awake;
        if (signal.aborted) return;
        const ending = new AbortController();
        const done = work(AbortSignal.any([signal, ending.signal]));
        present = { ending, done };
        await done;
      }
    },
    async halt() {
      ({ promise: awake, resolve: wake } = Promise.withResolvers<void>());
      present.ending.abort();
      await present.done.catch(() => {});
    },
    goOn: () => wake(),
  };
}
