import { Gauge, type Moment } from './gauge/gauge.ts';
import type { Symptom } from './gauge/symptom.ts';

/** The outputs of a proposer, compared with the head whose blocks it proposes. */
export interface OutputHead {
  /** Id of the value: the newest L2 block with an output on L1. */
  readonly id: string;
  readonly subject: string;
  /** Gauge of the safe or finalized head. */
  readonly follows: string;
  /** L2 blocks by which outputs may be behind. */
  readonly allowed: number;
  /** Wall time (ms) between two proposals. */
  readonly interval: number;
  /** Gauges and tasks that explain a standstill, the first cause first. */
  readonly causes: readonly string[];
}

/** Distances after the last proposals, which that after the next is compared with. */
const MAX_DISTANCES = 8;

/**
 * Compares outputs with the head that they follow. A proposer that sends transactions can still be late: they revert,
 * or they are too few. One that catches up is not late.
 */
export class OutputLag {
  readonly head: OutputHead;
  /** Moves while outputs are in time or catch up. */
  readonly #progress: Gauge;
  #steps = 0;
  #lags: number[] = [];
  #output: number | undefined;
  /** Blocks from the newest output to the head. */
  #lag = 0;
  /** Newest output when there was progress last. */
  #outputThen: number | undefined;

  constructor(head: OutputHead) {
    this.head = head;
    const { id, subject, interval } = head;
    this.#progress = new Gauge({ id, subject, interval, pace: 'least', causes: [], description: () => '' });
  }

  /** Records the newest output and the head. */
  observe(output: number, head: number, at: Moment): void {
    const lag = head - output;
    const isNew = output !== this.#output;
    this.#output = output;
    this.#lag = lag;
    this.#outputThen ??= output;
    if (lag <= this.head.allowed) {
      this.#lags = [];
      this.#step();
    } else if (isNew) this.#isLate(lag);
    this.#progress.observe({ number: this.#steps }, at);
  }

  #isLate(lag: number): void {
    // The head jumped, as when a batcher posts what it could not post before.
    if (lag - (this.#lags.at(-1) ?? lag) > this.head.allowed) this.#lags = [];
    if (lag < Math.min(...this.#lags) && this.#lags.length > 0) this.#step();
    this.#lags.push(lag);
    if (this.#lags.length > MAX_DISTANCES) this.#lags.shift();
  }

  #step(): void {
    this.#steps += 1;
    this.#outputThen = this.#output;
  }

  /** Records that a process that it depends on computed for `ms` without an answer. */
  hold(ms: number): void {
    this.#progress.hold(ms);
  }

  restart(): void {
    this.#progress.restart();
    this.#lags = [];
    this.#outputThen = undefined;
  }

  symptoms(watched: number): Symptom[] {
    const stands = this.#progress.stands(watched);
    if (stands === undefined) return [];
    const { id, subject, allowed, causes } = this.head;
    const what =
      this.#output === this.#outputThen
        ? `its outputs stand at block ${this.#output}, ${this.#lag} blocks behind the newest block to propose`
        : `its outputs fall behind: they are ${this.#lag} blocks older than the newest block to propose, ` +
          `at most ${allowed} are expected`;
    return [{ id, subject, what, since: stands.since, causes }];
  }
}
