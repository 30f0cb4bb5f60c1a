/** A computation in steps, between which other work runs. The generator returns the result. */
export type Resumable<Result> = Generator<void, Result, void>;

/** Runs all steps of a computation without a pause. */
export function runToCompletion<Result>(steps: Resumable<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
