import type { Clock } from '../time/clock.ts';
import { type ClockState, timeAt, wallUntil } from '../time/clock-state.ts';
import type { ClockPush } from './messages.ts';

/** The clock service: the clock that the supervisor moves. It goes on from its last state while that is away. */
export class SupervisedClock implements Omit<Clock, 'move'> {
  #state: ClockPush;
  readonly #listeners = new Set<() => void>();

  constructor(state: ClockState) {
    this.#state = { ...state, step: 0, watched: false };
  }

  /** The newest announcement. */
  get state(): ClockPush {
    return this.#state;
  }

  /** Follows an announcement. */
  receive(push: ClockPush): void {
    this.#state = push;
    for (const listener of [...this.#listeners]) listener();
  }

  now(): number {
    return timeAt(this.#state, Date.now());
  }

  elapsed(): number {
    return performance.now();
  }

  wallUntil(time: number): number {
    return wallUntil(this.#state, time, Date.now());
  }

  onMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
  }
}
