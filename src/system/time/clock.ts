import { MAX_TIMER_MS } from './pause.ts';

/** The source of chain time. JWT and timeouts stay on the wall clock; all chain time is read here. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Returns wall milliseconds since some time in the past. They go on while the clock stands. */
  elapsed(): number;
  /** Returns the wall milliseconds until a time of this clock: 0 when it is past, infinite while the clock stands. */
  wallUntil(time: number): number;
  /** Calls back after the clock was moved or its rate was changed. Returns the unsubscription. */
  onMoved(listener: () => void): () => void;
  /**
   * Moves the clock of the whole network to a time, slot by slot. Resolves with its time then; rejects if the owner
   * refuses. Absent: no owner moves this clock.
   */
  readonly move?: (to: number) => Promise<number>;
}

/** The wall clock. */
export function wallClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    wallUntil: (time) => Math.max(0, time - Date.now()),
    onMoved: () => () => {},
  };
}

/** Resolves when the clock reaches `time` (ms), also when it is moved past it; false when aborted. */
export async function reach(clock: Clock, time: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const left = clock.wallUntil(time);
    if (left <= 0) return true;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unsubscribe();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(left, MAX_TIMER_MS));
      const unsubscribe = clock.onMoved(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
  return false;
}

/**
 * State of a clock: `at` is its time when the wall clock shows `wall`, both Unix milliseconds. From there it runs
 * `rate` times as fast as the wall clock. At rate 0 it stands.
 */
export interface ClockState {
  readonly at: number;
  readonly wall: number;
  readonly rate: number;
}

/** Last Unix millisecond that a `Date` can hold. No time of a clock is past it. */
export const LAST_TIME = 8.64e15;

/** A clock may run at most so many times as fast as the wall clock. */
export const MAX_RATE = 1e6;

/** Returns whether two states are of a clock that was not moved in between. */
export function isSameClock(one: ClockState, other: ClockState): boolean {
  return one.at === other.at && one.wall === other.wall && one.rate === other.rate;
}

/** Returns the clock's time when the wall clock shows `now`. */
export function timeAt({ at, wall, rate }: ClockState, now: number): number {
  return at + (now - wall) * rate;
}

/** Returns the wall milliseconds until the clock shows `time`: 0 when it is past, infinite while the clock stands. */
export function wallUntil(state: ClockState, time: number, now: number): number {
  const left = time - timeAt(state, now);
  if (left <= 0) return 0;
  return state.rate === 0 ? Number.POSITIVE_INFINITY : left / state.rate;
}

/** Returns the state of a clock that goes on from its current time at another rate. */
export function withRate(state: ClockState, rate: number, now: number): ClockState {
  return { at: timeAt(state, now), wall: now, rate };
}

/** The file of a clock: its state when the file was written, and the socket that announces every later state. */
export interface ClockFile extends ClockState {
  /** Absent: the state never changes. */
  readonly socket?: string;
}

/** Reads a clock's file; undefined if it is not one. */
export function parseClockFile(text: string): ClockFile | undefined {
  const value = parsed(text);
  if (!isClockState(value)) return undefined;
  const { at, wall, rate, socket } = value;
  return { at, wall, rate, ...(typeof socket === 'string' ? { socket } : {}) };
}

/** Tells whether a message holds a clock's state. */
export function isClockState(value: unknown): value is ClockState & Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const { at, wall, rate } = value as Readonly<Record<string, unknown>>;
  return [at, wall].every((time) => isBetween(0, time, LAST_TIME)) && isBetween(0, rate, MAX_RATE);
}

function isBetween(least: number, value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
