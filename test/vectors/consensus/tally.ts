/** The test's chain is not one that this program runs. The message is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** Counts of one suite. */
interface Counts {
  passed: number;
  failed: number;
  readonly notApplicable: Map<string, number>;
}

/** Counts the cases of suites. */
export class Tally {
  readonly #suites = new Map<string, Counts>();

  /** Runs a case and counts it. Returns the problem of a failed one. */
  async run(suite: string, check: () => Promise<void>): Promise<string | undefined> {
    const counts = this.#suites.get(suite) ?? { passed: 0, failed: 0, notApplicable: new Map<string, number>() };
    this.#suites.set(suite, counts);
    try {
      await check();
      counts.passed++;
      return undefined;
    } catch (error) {
      const { message, stack } = error as Error;
      if (error instanceof NotApplicable) {
        counts.notApplicable.set(message, (counts.notApplicable.get(message) ?? 0) + 1);
        return undefined;
      }
      counts.failed++;
      return error instanceof Disagreement ? message : (stack ?? message);
    }
  }

  /** Returns one line per suite. */
  lines(): string[] {
    return [...this.#suites].sort().map(([suite, { passed, failed, notApplicable }]) => {
      const reasons = [...notApplicable].sort().map(([reason, count]) => `${count} ${reason}`);
      return `${suite}: ${passed} passed, ${failed} failed, not applicable: ${reasons.join(', ') || 0}`;
    });
  }
}

/** Our outcome and the published one differ. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}
