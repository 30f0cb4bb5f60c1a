/** Runs work once all earlier work has ended. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a mutex: work that is handed to it does not overlap. A rejection does not stop the work that follows. */
export function createMutex(): Mutex {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  };
}
