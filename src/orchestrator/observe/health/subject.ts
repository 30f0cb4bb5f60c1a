import { HELD, type Moment } from './gauge.ts';
import type { Symptom } from './symptom.ts';

/** Milliseconds without an answer after which a process is silent; with the way to the question 5 s. */
const SILENT = 4000;

/** Milliseconds without an answer from which on the time of a busy process is held. Answers come once a second. */
const UNANSWERED = 1500;

/** Answers in a row that must differ from what a task's probe expects. */
const TWICE = 2;

interface Condition {
  readonly what: string;
  readonly since: number;
  readonly because?: string;
  readonly otherwise?: string;
}

/** Whether one task is up, answers, and answers as itself. */
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

  /** Whether it should answer now. */
  get isUp(): boolean {
    return this.#down === undefined && this.#answered !== undefined;
  }

  up(at: Moment): void {
    this.#down = this.#differs = this.#silence = undefined;
    this.#answered = at;
    this.#busy = 0;
  }

  /** The time of the first call with these words counts. */
  down(what: string, at: Moment, because?: string): void {
    if (this.#down?.what !== what)
      this.#down = { what, since: this.#down?.since ?? at.wall, ...(because === undefined ? {} : { because }) };
  }

  answers(at: Moment): void {
    this.#answered = at;
    this.#silence = undefined;
    this.#busy = 0;
  }

  /** Takes that it computed for the last `ms`. Returns whether it was silent meanwhile, so that this time is held. */
  isBusy(ms: number, watched: number): boolean {
    if (!this.isUp || watched - (this.#answered?.watched ?? watched) < UNANSWERED) return false;
    this.#busy += ms;
    return true;
  }

  /** It answers as what it is. */
  isItself(): void {
    this.#differs = undefined;
  }

  isSilent(why: string): void {
    this.#silence = why;
  }

  mismatch(what: string, at: Moment): void {
    this.#differs = { what, since: this.#differs?.since ?? at.wall, times: (this.#differs?.times ?? 0) + 1 };
  }

  /** Milliseconds since the last answer, without those in which it computed, as far as they are held. */
  quiet(watched: number): number {
    return this.isUp ? watched - (this.#answered?.watched ?? watched) - Math.min(this.#busy, HELD) : 0;
  }

  symptom(watched: number): Symptom | undefined {
    const condition = this.#condition(watched);
    return condition && { id: this.#task, subject: this.#task, causes: this.#causes, ...condition };
  }

  #condition(watched: number): Condition | undefined {
    if (this.#down !== undefined) return this.#down;
    if (this.#answered === undefined) return undefined;
    if (this.quiet(watched) >= SILENT)
      return {
        what: 'does not answer',
        since: this.#answered.wall,
        ...this.#otherwise(),
      };
    return this.#differs !== undefined && this.#differs.times >= TWICE ? this.#differs : undefined;
  }

  #otherwise(): { readonly otherwise?: string } {
    if (this.#busy >= HELD) return { otherwise: 'it keeps a processor busy' };
    return this.#silence === undefined ? {} : { otherwise: this.#silence };
  }
}
