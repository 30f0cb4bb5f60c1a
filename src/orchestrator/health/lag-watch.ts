import { digitGroups, spanText } from '../../system/numbers/human.ts';
import { MAX_HELD_MS, type Moment, type Value } from './gauge/gauge.ts';
import { limitOf } from './gauge/pace.ts';

/** A head that follows other heads. */
export interface FollowingHead {
  readonly gauge: string;
  /** Gauges that it follows. The highest one counts. */
  readonly leaders: readonly string[];
  /** Gauge whose interval is the usual time between two movements. */
  readonly pace: string;
  /** Name of the head in a message. */
  readonly name: string;
}

/** The leader of a head: its gauge, the responsible task, and its value. */
export interface Leader {
  readonly subject: string;
  readonly value: Value;
}

/** How far a head is behind, and since when (Unix ms). */
export interface Lag {
  readonly what: string;
  readonly since: number;
}

/**
 * Intervals that count as a usual delay at most: a node may derive some blocks behind the head of L1. A head that was
 * just started has this time to catch up.
 */
const USUAL_LAG_BLOCKS = 12;
/** Number of remembered heads of the leader. */
const MAX_LEADER_HEADS = 600;

/**
 * Follows the distance between a head and the head that it follows, on every clock. A head that moves can be late.
 * It is late while it has not reached what its leader had reached some seconds ago.
 */
export class LagWatch {
  readonly spec: FollowingHead;
  /** Heads of the leader that this one has not reached, the oldest first. */
  #ahead: { readonly at: Moment; readonly number: number }[] = [];
  /** Shortest time (ms) in which it has reached a head of its leader. */
  #usual = Number.POSITIVE_INFINITY;
  /** Time (ms) since it last reached one that does not count. */
  #pauseMs = 0;
  #reached = 0;
  #value: Value | undefined;
  #leader: Leader | undefined;
  /** Blocks of the lag in the present message. */
  #statement: { readonly blocks: number; readonly what: string } | undefined;

  constructor(spec: FollowingHead) {
    this.spec = spec;
  }

  /** Records its value and that of its leader. */
  observe(value: Value, leader: Leader, at: Moment): void {
    const { number } = leader.value;
    if (number < this.#reached) this.restart();
    if (number > this.#reached && this.#ahead.length < MAX_LEADER_HEADS) this.#ahead.push({ at, number });
    this.#reached = Math.max(this.#reached, number);
    this.#value = value;
    this.#leader = leader;
    const last = this.#ahead.findLast((head) => head.number <= value.number);
    if (last === undefined) return;
    this.#ahead = this.#ahead.filter((head) => head.number > value.number);
    this.#usual = Math.min(this.#usual, at.watched - last.at.watched);
    this.#pauseMs = 0;
  }

  /** Records that a process that it depends on computed for `ms` without an answer. */
  hold(ms: number): void {
    this.#pauseMs = Math.min(MAX_HELD_MS, this.#pauseMs + ms);
  }

  /** Forgets all heads: a process was restarted, or the chain went back. */
  restart(): void {
    this.#ahead = [];
    this.#usual = Number.POSITIVE_INFINITY;
    this.#pauseMs = this.#reached = 0;
    this.#value = this.#leader = this.#statement = undefined;
  }

  /** Returns its lag, if that is a problem. `interval`: usual wall time (ms) between two movements. */
  late(watched: number, interval: number): Lag | undefined {
    const first = this.#ahead[0];
    const limit = limitOf(interval) + Math.min(this.#usual, USUAL_LAG_BLOCKS * interval) + this.#pauseMs;
    if (first === undefined || this.#value === undefined || this.#leader === undefined) return undefined;
    if (watched - first.at.watched < limit) {
      this.#statement = undefined;
      return undefined;
    }
    return { what: this.#message(this.#value, this.#leader), since: first.at.wall };
  }

  /** Returns the message. It stays the same while the lag has not doubled or halved: each new one is an event. */
  #message(value: Value, leader: Leader): string {
    const blocks = leader.value.number - value.number;
    if (this.#statement === undefined || blocks >= 2 * this.#statement.blocks || 2 * blocks <= this.#statement.blocks)
      this.#statement = {
        blocks,
        what: `${this.spec.name} is ${lagText(value, leader.value)} behind ${leader.subject}`,
      };
    return this.#statement.what;
  }
}

/** Returns a lag in blocks, and in chain time if both blocks tell their time. */
function lagText(value: Value, leader: Value): string {
  const blocks = leader.number - value.number;
  const seconds = value.time === undefined || leader.time === undefined ? undefined : leader.time - value.time;
  const count = `${digitGroups(blocks)} ${blocks === 1 ? 'block' : 'blocks'}`;
  return seconds === undefined ? count : `${count} (${spanText(seconds)} of chain time)`;
}
