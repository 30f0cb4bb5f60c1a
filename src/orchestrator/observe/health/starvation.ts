import { runDelay } from '../../../system/run-delay.ts';
import type { LiveTask } from '../../run/live-task.ts';

/** Measures how long the machine kept a network's processes from running. */
export class Starvation {
  readonly #before = new Map<number, number>();

  /** Milliseconds since the last call for which the most starved process could run and had no processor; 0 where the system does not tell. */
  since(tasks: Iterable<LiveTask>): number {
    const delays = [...tasks].map(({ identity, exit }): number => {
      const pid = exit === undefined ? identity?.pid : undefined;
      const now = pid === undefined ? undefined : runDelay(pid);
      if (pid === undefined || now === undefined) return 0;
      const before = this.#before.get(pid) ?? now;
      this.#before.set(pid, now);
      return now - before;
    });
    return Math.max(0, ...delays);
  }
}
