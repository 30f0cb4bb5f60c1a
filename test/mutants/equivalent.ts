/** A mutant that no test can fail. A line's text finds it, so that it survives lines that move. */
export interface EquivalentMutant {
  /** The source line on which the mutant starts, without indentation. */
  readonly line: string;
  /** What the mutant puts in place of the source, spaces folded. */
  readonly becomes: string;
  /** Why the program behaves the same. */
  readonly reason: string;
}

/** Equivalent mutants by file. `make mutants` does not count them, and reports those that it no longer meets. */
export const EQUIVALENT_MUTANTS: Readonly<Record<string, readonly EquivalentMutant[]>> = {};
