/** Milliseconds in which every missing movement may be told, however short its interval. */
const LEAST = 5000;
/** Missing intervals after which it is told. */
const INTERVALS = 3;
/** What asking takes of that time: the last movement is seen one question late, and the silence after it another. */
const SLACK = 1500;

/** How long after the expected time of a movement its absence is a problem (ms). With the way to the question: max(5 s, 3 intervals). */
export function limitOf(interval: number): number {
  return Math.max(LEAST, INTERVALS * interval) - SLACK;
}

/**
 * How an interval is known. `fixed`: the network's clock makes it. `least`: the configuration says the shortest, and a process that is observed to be
 * slower is judged by what it does. `learnt`: only observation tells, and until then a long one is assumed.
 */
export type PaceKind = 'fixed' | 'least' | 'learnt';

/** Gaps that are remembered, and how many it takes to know a pace. */
const REMEMBERED = 12;
const ENOUGH = 4;

/** The interval that is assumed where neither configuration nor observation says one (ms). */
const UNKNOWN = 120_000;

/** The usual time between two movements: the upper quartile of the last gaps, so that a single outage does not change it. */
export class Pace {
  readonly #kind: PaceKind;
  readonly #least: number;
  readonly #gaps: number[] = [];

  constructor(kind: PaceKind, least: number) {
    this.#kind = kind;
    this.#least = least;
  }

  /** Takes note of the time between two movements (ms). */
  learn(gap: number): void {
    this.#gaps.push(gap);
    if (this.#gaps.length > REMEMBERED) this.#gaps.shift();
  }

  /** ms */
  get interval(): number {
    if (this.#kind === 'fixed') return this.#least;
    if (this.#gaps.length < ENOUGH) return this.#kind === 'least' ? this.#least : Math.max(this.#least, UNKNOWN);
    const sorted = this.#gaps.toSorted((a, b) => a - b);
    return Math.max(this.#least, sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0);
  }
}
