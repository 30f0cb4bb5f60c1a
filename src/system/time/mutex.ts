/** Runs work when all earlier work is over. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns a queue for work that must not overlap. Work that fails does not stop what follows. */
export function turns(): Turns {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  };
}
