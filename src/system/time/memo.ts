/** A value that is made at the first call. */
interface Kept<T> {
  get(): Promise<T>;
  /** What was made, or is being made. */
  now(): Promise<T> | undefined;
  /** Lets the next call make another. */
  forget(): void;
}

/** Keeps what `make` returns. A rejection is not kept: the next call tries again. */
export function kept<T>(make: () => Promise<T>): Kept<T> {
  let made: Promise<T> | undefined;
  return {
    get() {
      if (made !== undefined) return made;
      const attempt = make();
      made = attempt;
      attempt.catch(() => {
        if (made === attempt) made = undefined;
      });
      return attempt;
    },
    now: () => made,
    forget() {
      made = undefined;
    },
  };
}
