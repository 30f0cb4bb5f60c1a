import type { Outcome } from './outcome.ts';

/** Counts of one suite. `notApplicable`: by reason. */
export interface SuiteCounts {
  passed: number;
  failed: number;
  readonly notApplicable: Record<string, number>;
}

/** Counts of all suites. */
export interface Total {
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0);

/** Counts the cases of suites. */
export class Tally {
  readonly #suites = new Map<string, SuiteCounts>();

  add(suite: string, outcome: Outcome): void {
    const counts = this.#of(suite);
    if (outcome.state === 'not applicable')
      counts.notApplicable[outcome.reason] = (counts.notApplicable[outcome.reason] ?? 0) + 1;
    else counts[outcome.state]++;
  }

  /** Adds the counts of another tally. */
  merge(suites: Readonly<Record<string, SuiteCounts>>): void {
    for (const [suite, { passed, failed, notApplicable }] of Object.entries(suites)) {
      const counts = this.#of(suite);
      counts.passed += passed;
      counts.failed += failed;
      for (const [reason, count] of Object.entries(notApplicable))
        counts.notApplicable[reason] = (counts.notApplicable[reason] ?? 0) + count;
    }
  }

  get suites(): Record<string, SuiteCounts> {
    return Object.fromEntries(this.#suites);
  }

  get total(): Total {
    const all = [...this.#suites.values()];
    return {
      passed: sumOf(all.map(({ passed }) => passed)),
      failed: sumOf(all.map(({ failed }) => failed)),
      notApplicable: sumOf(all.flatMap(({ notApplicable }) => Object.values(notApplicable))),
    };
  }

  /** Returns one line per suite. */
  lines(): string[] {
    return [...this.#suites].sort().map(([suite, { passed, failed, notApplicable }]) => {
      const reasons = Object.entries(notApplicable).sort();
      const text = reasons.map(([reason, count]) => `${count} ${reason}`).join(', ');
      return `${suite}: ${passed} passed, ${failed} failed, not applicable: ${text || 0}`;
    });
  }

  #of(suite: string): SuiteCounts {
    const counts = this.#suites.get(suite) ?? { passed: 0, failed: 0, notApplicable: {} };
    this.#suites.set(suite, counts);
    return counts;
  }
}
