import { runDelays } from '../../../system/run-delay.ts';
import type { LiveTask } from '../../run/live-task.ts';

/** Measures how long the machine kept a network's processes from running. */
export class Starvation {
  #before: ReadonlyMap<string, number> = new Map();

  /** Returns the delay (ms) of the most starved thread since the last call; 0 where the system does not tell. */
  since(tasks: Iterable<LiveTask>): number {
    const now = new Map(
      [...tasks].flatMap(({ identity, exit }) =>
        identity === undefined || exit !== undefined ? [] : [...runDelays(identity.pid)],
      ),
    );
    const grown = [...now].map(([thread, delay]) => delay - (this.#before.get(thread) ?? delay));
    this.#before = now;
    return Math.max(0, ...grown);
  }
}
