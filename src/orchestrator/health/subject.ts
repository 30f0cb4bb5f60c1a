import { MAX_HELD_MS, type Moment } from './gauge/gauge.ts';
import type { Symptom } from './gauge/symptom.ts';

/** Time (ms) without an answer after which a process is silent; 5 s with polling. */
const SILENT_AFTER_MS = 4000;

/** Time (ms) without an answer from which a busy process is paused. Answers come once a second. */
const UNANSWERED_AFTER_MS = 1500;

/** Consecutive answers that must differ from what a task's probe expects. */
const MIN_WRONG_ANSWERS = 2;

interface Condition {
  readonly what: string;
  readonly since: number;
  readonly because?: string;
  readonly otherwise?: string;
}

/** Tracks whether one task is up, answers, and answers as expected. */
export class Subject {
  readonly #task: string;
  readonly #causes: readonly string[];
  #answered: Moment | undefined;
  #busy = 0;
  #silence: string | undefined;
  #down: Condition | undefined;
  #differs: (Condition & { readonly times: number }) | undefined;

  constructor(task: string, causes: readonly string[]) {
    this.#task = task;
    this.#causes = causes;
  }

  /** Returns whether it should answer now. */
  get isUp(): boolean {
    return this.#down === undefined && this.#answered !== undefined;
  }

  up(at: Moment): void {
    this.#down = this.#differs = this.#silence = undefined;
    this.#answered = at;
    this.#busy = 0;
  }

  /** Records that it is down. The time of the first call with the same text counts. */
  down(what: string, at: Moment, because?: string): void {
    if (this.#down?.what !== what)
      this.#down = { what, since: this.#down?.since ?? at.wall, ...(because === undefined ? {} : { because }) };
  }

  answers(at: Moment): void {
    this.#answered = at;
    this.#silence = undefined;
    this.#busy = 0;
  }

  /** Records that it computed for the last `ms`. Returns whether it was silent, so that its gauges are paused. */
  isBusy(ms: number, watched: number): boolean {
    if (!this.isUp || watched - (this.#answered?.watched ?? watched) < UNANSWERED_AFTER_MS) return false;
    this.#busy += ms;
    return true;
  }

  /** Records that its answers match. */
  isItself(): void {
    this.#differs = undefined;
  }

  isSilent(why: string): void {
    this.#silence = why;
  }

  mismatch(what: string, at: Moment): void {
    this.#differs = { what, since: this.#differs?.since ?? at.wall, times: (this.#differs?.times ?? 0) + 1 };
  }

  /** Time (ms) since the last answer, without paused time. */
  quiet(watched: number): number {
    return this.isUp ? watched - (this.#answered?.watched ?? watched) - Math.min(this.#busy, MAX_HELD_MS) : 0;
  }

  symptom(watched: number): Symptom | undefined {
    const condition = this.#condition(watched);
    return condition && { id: this.#task, subject: this.#task, causes: this.#causes, ...condition };
  }

  #condition(watched: number): Condition | undefined {
    if (this.#down !== undefined) return this.#down;
    if (this.#answered === undefined) return undefined;
    if (this.quiet(watched) >= SILENT_AFTER_MS)
      return {
        what: 'does not answer',
        since: this.#answered.wall,
        ...this.#otherwise(),
      };
    return this.#differs !== undefined && this.#differs.times >= MIN_WRONG_ANSWERS ? this.#differs : undefined;
  }

  #otherwise(): { readonly otherwise?: string } {
    if (this.#busy >= MAX_HELD_MS) return { otherwise: 'it keeps a processor busy' };
    return this.#silence === undefined ? {} : { otherwise: this.#silence };
  }
}
