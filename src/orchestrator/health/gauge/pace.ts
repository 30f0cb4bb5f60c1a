/** Minimum time (ms) before a missing movement is reported, however short its interval. */
const MIN_SILENCE_MS = 5000;
/** Missing intervals before a report. */
const MISSING_INTERVALS = 3;
/** Polling delay (ms): the last movement is seen one poll late, and the silence after it another. */
const POLLING_SLACK_MS = 1500;

/**
 * Returns how long after its expected time a movement counts as missing (ms). With polling: max(5 s, 3 intervals).
 */
export function limitOf(interval: number): number {
  return Math.max(MIN_SILENCE_MS, MISSING_INTERVALS * interval) - POLLING_SLACK_MS;
}

/**
 * Source of an interval. `fixed`: the network's clock. `least`: the configured minimum; a slower process is judged by
 * its observed interval. `learnt`: observation only, with a long interval until then.
 */
export type PaceKind = 'fixed' | 'least' | 'learnt';

/** Number of remembered gaps, and the number needed to know an interval. */
const MAX_GAPS = 12;
const MIN_GAPS = 4;

/** Interval (ms) if neither configuration nor observation gives one. */
const DEFAULT_INTERVAL_MS = 120_000;

/** Estimates the usual interval: the upper quartile of the last gaps, so that one outage does not change it. */
export class Pace {
  readonly #kind: PaceKind;
  readonly #least: number;
  readonly #gaps: number[] = [];

  constructor(kind: PaceKind, least: number) {
    this.#kind = kind;
    this.#least = least;
  }

  /** Records the time between two movements (ms). */
  learn(gap: number): void {
    this.#gaps.push(gap);
    if (this.#gaps.length > MAX_GAPS) this.#gaps.shift();
  }

  /** ms */
  get interval(): number {
    if (this.#kind === 'fixed') return this.#least;
    if (this.#gaps.length < MIN_GAPS)
      return this.#kind === 'least' ? this.#least : Math.max(this.#least, DEFAULT_INTERVAL_MS);
    const sorted = this.#gaps.toSorted((a, b) => a - b);
    return Math.max(this.#least, sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0);
  }
}
