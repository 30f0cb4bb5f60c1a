import type { CheckpointOrder, Checkpoints } from './checkpoints.ts';
import type { Progress } from './progress.ts';

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
  /** Registers a part of the program, idle at first. The owner of the clock waits for busy parts before it moves it. */
  activity(): Activity;
  /** Begins the reports to the owner of the clock. `progress` returns the present one. */
  report(progress: () => Progress): void;
  /**
   * Moves the clock of the whole network to a time, slot by slot. Resolves with its time then; rejects if the owner
   * refuses. Absent: no owner moves this clock.
   */
  readonly move?: (to: number) => Promise<number>;
  /**
   * Takes a checkpoint of the whole network, or restores one. Resolves with the number of what it took. After a restore
   * it is 1, or 0 if no checkpoint has the number. Rejects if the owner refuses. Absent: there is no owner.
   */
  readonly checkpoint?: (order: CheckpointOrder) => Promise<number>;
  /**
   * Sets what writes the state that this program holds only in memory to its data folder. The owner of the clock asks
   * for it before it copies that folder.
   */
  onKeep(keep: () => Promise<void>): void;
  /** Sets the checkpoints of this program. The owner of the clock has all programs take and restore them. */
  onCheckpoints(checkpoints: Checkpoints): void;
  close(): void;
}

/** Whether a part of a program still has work for the current time. */
export interface Activity {
  busy(): void;
  /** Without work until the clock moves, or until another process does something. */
  idle(): void;
}

/** The methods of a clock without an owner. */
export const OWNERLESS: Pick<Clock, 'activity' | 'report' | 'onKeep' | 'onCheckpoints'> = {
  activity: () => ({ busy: () => {}, idle: () => {} }),
  report: () => {},
  onKeep: () => {},
  onCheckpoints: () => {},
};

/** The wall clock. */
export function wallClock(): Clock {
  return {
    ...OWNERLESS,
    now: () => Date.now(),
    elapsed: () => performance.now(),
    wallUntil: (time) => Math.max(0, time - Date.now()),
    onMoved: () => () => {},
    close: () => {},
  };
}

/** Longest timer of Node.js, rounded down, ms. */
const MAX_TIMER_MS = 2 ** 30;

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

/** Waits idly for `ms` milliseconds of the clock, or until aborted. It ends at once if the clock moves back. */
export async function rest(clock: Clock, activity: Activity, ms: number, signal: AbortSignal): Promise<void> {
  const began = clock.now();
  const back = new AbortController();
  const unsubscribe = clock.onMoved(() => clock.now() < began && back.abort());
  activity.idle();
  await reach(clock, began + ms, AbortSignal.any([signal, back.signal]));
  unsubscribe();
  activity.busy();
}
