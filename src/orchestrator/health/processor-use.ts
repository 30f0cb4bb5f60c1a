import { type ThreadTime, threadTimes } from '../../system/process/thread-times.ts';
import type { LiveTask } from '../processes/live-task.ts';

/** Processor use of a network since the last measurement (ms). */
export interface Use {
  /** Longest time for which a runnable thread had no processor; 0 if the system does not report it. */
  readonly starved: number;
  /** Processor time by task, over all threads. */
  readonly ran: ReadonlyMap<string, number>;
}

/** Measures the processor time of a network's processes and the time for which they were not scheduled. */
export class ProcessorUse {
  readonly #timesOf: typeof threadTimes;
  #before: ReadonlyMap<string, ThreadTime> = new Map();

  constructor(timesOf = threadTimes) {
    this.#timesOf = timesOf;
  }

  /** Returns the use since the last call. */
  since(tasks: Iterable<LiveTask>): Use {
    const now = new Map<string, ThreadTime>();
    const ran = new Map<string, number>();
    let starved = 0;
    for (const { task, running, exit } of tasks) {
      const processes = exit === undefined ? (running?.processes() ?? []) : [];
      if (processes.length === 0) continue;
      let sum = 0;
      for (const [thread, time] of processes.flatMap((pid) => [...this.#timesOf(pid)])) {
        const before = this.#before.get(thread) ?? time;
        sum += time.ran - before.ran;
        starved = Math.max(starved, time.waited - before.waited);
        now.set(thread, time);
      }
      ran.set(task.id, sum);
    }
    this.#before = now;
    return { starved, ran };
  }
}
