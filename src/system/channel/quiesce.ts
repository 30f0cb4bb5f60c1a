import { type Clock, reach } from '../time/clock.ts';
import type { Progress } from './progress.ts';

/** The quiesce service of a program's channel: whether its work for the present time is done, and is on disk. */
export interface Quiesce {
  /** Registers a part of the program, idle at first. The supervisor waits for busy parts before it moves the clock. */
  activity(): Activity;
  /** Begins the reports to the supervisor. `progress` returns the present one. */
  report(progress: () => Progress): void;
  /**
   * Sets what writes the state that this program holds only in memory to its data folder. The supervisor asks for it
   * before it copies that folder.
   */
  onFlush(flush: () => Promise<void>): void;
}

/** Whether a part of a program still has work for the current time. */
export interface Activity {
  busy(): void;
  /** Without work until the clock moves, or until another process does something. */
  idle(): void;
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
