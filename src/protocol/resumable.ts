/** Work that can rest between its steps, so that others get their turn; it returns what it comes to. */
export type Resumable<Result> = Generator<void, Result, void>;

/** Does all of a work at once. */
export function runToCompletion<Result>(steps: Resumable<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
