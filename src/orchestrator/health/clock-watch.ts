import { digitGroups, spanText } from '../../system/numbers/human.ts';
import type { ClockHead } from './facts.ts';
import { Gauge, type Moment, type Value } from './gauge/gauge.ts';
import { limitOf } from './gauge/pace.ts';
import type { Symptom } from './gauge/symptom.ts';

/** Smallest progress (ms of wall time) that counts. Polling sees each block up to a second late. */
const MIN_PROGRESS_MS = 500;
const MAX_LATE_SAMPLES = 8;

/** Consecutive answers that must be ahead of the clock. */
const MIN_ANSWERS_AHEAD = 2;

/** Compares the blocks of a head with the network's clock. A head that moves can still fall behind or be ahead. */
export class ClockWatch {
  readonly #head: ClockHead;
  readonly #subject: string;
  /** Gauge that moves while the head is on time or catching up. */
  readonly #progress: Gauge;
  /** Delay (ms of the network's clock) up to which the head is on time. */
  readonly #limit: number;
  #steps = 0;
  #time: number | undefined;
  /** Delay of the last blocks (ms). */
  #late: number[] = [];
  /** Delay in the present message (ms). */
  #delayMs: number | undefined;
  #ahead: { readonly seconds: number; readonly since: number; readonly times: number } | undefined;

  constructor(head: ClockHead, subject: string) {
    this.#head = head;
    this.#subject = subject;
    this.#limit = limitOf(head.blockMs / head.rate) * head.rate;
    this.#progress = new Gauge({
      id: `${head.gauge} clock`,
      subject,
      interval: head.rate > 1 ? head.blockMs / head.rate : head.interval,
      pace: 'fixed',
      causes: [],
      description: () => this.#message(),
    });
  }

  /** Records the head that was read when the network's clock was `networkMs`. */
  observe({ time }: Value, at: Moment, networkMs: number): void {
    if (time === undefined) return;
    const { blockMs, move, notAhead } = this.#head;
    const behind = networkMs - time * 1000;
    if (behind <= blockMs + move + this.#limit) this.#isOnTime();
    else if (time !== this.#time) this.#isLate(behind);
    this.#time = time;
    this.#progress.observe({ number: this.#steps }, at);
    if (!notAhead || -behind <= blockMs + MIN_PROGRESS_MS) this.#ahead = undefined;
    else
      this.#ahead = {
        seconds: this.#ahead?.seconds ?? Math.round(-behind / 1000),
        since: this.#ahead?.since ?? at.wall,
        times: (this.#ahead?.times ?? 0) + 1,
      };
  }

  #isOnTime(): void {
    this.#late = [];
    this.#delayMs = undefined;
    this.#steps += 1;
  }

  /** Returns the message. It stays the same while the delay has not doubled or halved: each new one is an event. */
  #message(): string {
    const behind = this.#late.at(-1) ?? 0;
    if (this.#delayMs === undefined || behind >= 2 * this.#delayMs || 2 * behind <= this.#delayMs)
      this.#delayMs = behind;
    const blocks = Math.floor(this.#delayMs / this.#head.blockMs);
    const span = spanText(this.#delayMs / 1000);
    return `falls behind the network's clock: ${digitGroups(blocks)} blocks (${span} of chain time)`;
  }

  /**
   * Returns whether a late block is progress: less late than all before it, or the first after a reported standstill.
   */
  #isLate(behind: number): void {
    const isFirst = behind - (this.#late.at(-1) ?? 0) > this.#limit;
    if (isFirst) this.#late = [];
    if (behind <= Math.min(...this.#late) - MIN_PROGRESS_MS * this.#head.rate) this.#steps += 1;
    this.#late.push(behind);
    if (this.#late.length > MAX_LATE_SAMPLES) this.#late.shift();
  }

  /** Records that L1 or a node computed for `ms` without an answer. */
  hold(ms: number): void {
    this.#progress.hold(ms);
  }

  restart(): void {
    this.#progress.restart();
    this.#late = [];
    this.#delayMs = undefined;
    this.#ahead = undefined;
  }

  get isAhead(): boolean {
    return this.#ahead !== undefined && this.#ahead.times >= MIN_ANSWERS_AHEAD;
  }

  symptoms(watched: number): Symptom[] {
    const { gauge } = this.#head;
    if (this.#ahead !== undefined && this.isAhead)
      return [
        {
          id: gauge,
          subject: this.#subject,
          what: `its time was moved ${spanText(this.#ahead.seconds)} ahead of the network's clock`,
          since: this.#ahead.since,
          causes: [],
        },
      ];
    const stands = this.#progress.stands(watched);
    return stands === undefined
      ? []
      : [
          {
            id: gauge,
            subject: this.#subject,
            what: this.#progress.spec.description(stands.value),
            since: stands.since,
            causes: [],
          },
        ];
  }
}
