import { limitOf, Pace, type PaceKind } from './pace.ts';

/** Time of an observation. */
export interface Moment {
  /** Monotonic milliseconds, without time in which the machine was suspended or the network could not run. */
  readonly watched: number;
  /** Unix milliseconds. */
  readonly wall: number;
}

/** Value of a head or counter. */
export interface Value {
  readonly number: number;
  /** Distinguishes two blocks of one number. */
  readonly hash?: string;
  /** Timestamp of the block in Unix seconds. */
  readonly time?: number;
  /** Whether there is nothing to move to, so that standing still is correct. */
  readonly isHeld?: boolean;
}

export interface GaugeSpec {
  /** `<subject> <head>`, for example `main/sequencer/cl safe`. */
  readonly id: string;
  /** The task that is responsible. */
  readonly subject: string;
  /** Message while it stands still. */
  description(value: Value): string;
  /** Shortest configured time between two movements (ms). */
  readonly interval: number;
  readonly pace: PaceKind;
  /** The gauge that it follows. While that one stands still, there is nothing to move to. */
  readonly after?: string;
  /** Gauges and tasks that explain its standstill, the first cause first. */
  readonly causes: readonly string[];
}

/** Number of remembered positions. A node that repeats the same blocks does not move. */
const MAX_POSITIONS = 64;

/** Extra time (ms) for the first movement after a start, when caches are empty and other processes start too. */
const FIRST_MOVEMENT_MS = 10_000;

/**
 * Maximum time (ms) for which the gauges of a silent but computing process are paused.
 * At its first blob anvil computes for 4 s, to load the trusted setup.
 */
export const MAX_HELD_MS = 10_000;

/** Follows one head or counter and reports a missing movement. */
export class Gauge {
  readonly spec: GaugeSpec;
  readonly #pace: Pace;
  #positions: string[] = [];
  #value: Value | undefined;
  #moved: Moment | undefined;
  #hasMoved = false;
  /** Time (ms) since the last movement that does not count. */
  #pauseMs = 0;

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

  /** Records a value. */
  observe(value: Value, at: Moment): void {
    const key = `${value.number} ${value.hash ?? ''}`;
    const isFirst = this.#moved === undefined;
    const isNew = !this.#positions.includes(key);
    this.#value = value;
    if (isNew) {
      this.#positions.push(key);
      if (this.#positions.length > MAX_POSITIONS) this.#positions.shift();
    }
    if (!isFirst && !isNew && value.isHeld !== true) return;
    if (!isFirst && isNew) {
      // Paused time is not part of a gap.
      const gap = at.watched - (this.#moved?.watched ?? 0);
      if (this.#hasMoved) this.#pace.learn(gap);
      this.#hasMoved = true;
    }
    this.#moved = at;
    this.#pauseMs = 0;
  }

  /** Records that its process, or one that it depends on, computed for `ms` without an answer. */
  hold(ms: number): void {
    this.#pauseMs = Math.min(MAX_HELD_MS, this.#pauseMs + ms);
  }

  /** Restarts its limit: the process was restarted, or the clock was moved. */
  restart(): void {
    this.#moved = undefined;
    this.#hasMoved = false;
    this.#positions = [];
    this.#pauseMs = 0;
  }

  /** Time (ms) for which an expected movement is missing; 0 while none is. */
  overdue(watched: number): number {
    if (this.#moved === undefined) return 0;
    return Math.max(0, watched - this.#moved.watched - this.#pauseMs - this.interval);
  }

  /** Start of its standstill, if that is a problem. */
  stands(watched: number): { readonly since: number; readonly value: Value } | undefined {
    if (this.#moved === undefined || this.#value === undefined) return undefined;
    const limit = limitOf(this.interval) + (this.#hasMoved ? 0 : FIRST_MOVEMENT_MS);
    if (this.overdue(watched) < limit) return undefined;
    return { since: this.#moved.wall, value: this.#value };
  }
}
