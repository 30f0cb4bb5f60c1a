/** A value that the first call makes. */
interface Memo<T> {
  get(): Promise<T>;
  /** Returns the promise of the last call; undefined before the first one and after a rejection. */
  current(): Promise<T> | undefined;
  /** Lets the next call make another. */
  clear(): void;
}

/** Creates a memo of the promise that `make` returns. A rejection is not stored: the next call tries again. */
export function memoize<T>(make: () => Promise<T>): Memo<T> {
  let promise: Promise<T> | undefined;
  return {
    get() {
      if (promise !== undefined) return promise;
      const attempt = make();
      promise = attempt;
      attempt.catch(() => {
        if (promise === attempt) promise = undefined;
      });
      return attempt;
    },
    current: () => promise,
    clear() {
      promise = undefined;
    },
  };
}
