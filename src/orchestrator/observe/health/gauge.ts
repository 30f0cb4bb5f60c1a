import { limitOf, Pace, type PaceKind } from './pace.ts';

/** When something was seen. */
export interface Moment {
  /** Milliseconds that count: without those in which the machine was suspended, or kept the network from running. */
  readonly watched: number;
  /** Unix milliseconds. */
  readonly wall: number;
}

/** How far a head or a process is. */
export interface Value {
  readonly number: number;
  /** Tells two blocks of one number apart. */
  readonly hash?: string;
  /** Unix seconds that the block says. */
  readonly time?: number;
  /** There is nothing to move to: that it stands is right. */
  readonly isHeld?: boolean;
}

export interface GaugeSpec {
  /** `<subject> <head>`, for example `main/sequencer/cl safe`. */
  readonly id: string;
  /** The task that is to blame. */
  readonly subject: string;
  /** What is said of it while it stands. */
  description(value: Value): string;
  /** Shortest time between two movements by the configuration (ms). */
  readonly interval: number;
  readonly pace: PaceKind;
  /** The gauge after which it moves: while that one stands, there is nothing to move to. */
  readonly after?: string;
  /** Gauges and tasks that explain its standing, the first cause first. */
  readonly causes: readonly string[];
}

/** Movements remembered: a node that walks the same blocks again and again does not move. */
const SEEN = 64;

/** Time beside the limit for the first movement after a start (ms): caches are empty, and others start too. */
const FIRST = 10_000;

/**
 * Milliseconds for which the time of a silent process is held while it computes, and that of everything that depends on
 * it. anvil computes for 4 s at its first blob, to load the trusted setup.
 */
export const HELD = 10_000;

/** Follows one head or counter, and tells when an expected movement did not come. */
export class Gauge {
  readonly spec: GaugeSpec;
  readonly #pace: Pace;
  #seen: string[] = [];
  #value: Value | undefined;
  #moved: Moment | undefined;
  #hasMoved = false;
  /** Milliseconds since the last movement that do not count. */
  #held = 0;

  constructor(spec: GaugeSpec) {
    this.spec = spec;
    this.#pace = new Pace(spec.pace, spec.interval);
  }

  /** ms */
  get interval(): number {
    return this.#pace.interval;
  }

  get value(): Value | undefined {
    return this.#value;
  }

  /** Takes a value. */
  observe(value: Value, at: Moment): void {
    const key = `${value.number} ${value.hash ?? ''}`;
    const isFirst = this.#moved === undefined;
    const isNew = !this.#seen.includes(key);
    this.#value = value;
    if (isNew) {
      this.#seen.push(key);
      if (this.#seen.length > SEEN) this.#seen.shift();
    }
    if (!isFirst && !isNew && value.isHeld !== true) return;
    if (!isFirst && isNew) {
      // Time in which it was held is no gap: the moment of the last look counts.
      const gap = at.watched - (this.#moved?.watched ?? 0);
      if (this.#hasMoved) this.#pace.learn(gap);
      this.#hasMoved = true;
    }
    this.#moved = at;
    this.#held = 0;
  }

  /** Takes that its process, or one that it depends on, computed for `ms` and gave no answer. */
  hold(ms: number): void {
    this.#held = Math.min(HELD, this.#held + ms);
  }

  /** Gives it all the time again: the process was started anew, or the clock was moved. */
  restart(): void {
    this.#moved = undefined;
    this.#hasMoved = false;
    this.#seen = [];
    this.#held = 0;
  }

  /** Milliseconds for which an expected movement is missing; 0 while none is. */
  overdue(watched: number): number {
    if (this.#moved === undefined) return 0;
    return Math.max(0, watched - this.#moved.watched - this.#held - this.interval);
  }

  /** Since when it stands, where that is a problem. */
  stands(watched: number): { readonly since: number; readonly value: Value } | undefined {
    if (this.#moved === undefined || this.#value === undefined) return undefined;
    const limit = limitOf(this.interval) + (this.#hasMoved ? 0 : FIRST);
    if (this.overdue(watched) < limit) return undefined;
    return { since: this.#moved.wall, value: this.#value };
  }
}
