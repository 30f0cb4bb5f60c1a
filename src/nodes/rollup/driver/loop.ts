import type { Clock } from '../../../system/clock.ts';
import type { Logger } from '../../../system/log.ts';

/**
 * Time of a deriver's next step: `again` for at once, milliseconds of the network clock, or `null` for the next event.
 */
export type NextStep = 'again' | number | null;

/**
 * A unit of the driver's work (op-node: `Deriver`). Steps of all derivers are serial, so that the engine has one
 * caller.
 * A wait for L1 or a peer runs as a background job and wakes the loop.
 */
export interface Deriver {
  readonly name: string;
  step(): Promise<NextStep>;
}

export interface EventLoop {
  /** Runs a step of every deriver. */
  wake(): void;
  /** Runs a task alone, between two steps of the derivers. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /**
   * Resolves after `signal` aborts. Rejects where a deriver throws, which derivers do for unrecoverable failures only.
   */
  readonly done: Promise<void>;
}

/**
 * Runs the derivers in their order until aborted (op-node: `eventLoop`). Sleeps until the earliest next step or an
 * event.
 */
export function startEventLoop(parts: readonly Deriver[], clock: Clock, log: Logger, signal: AbortSignal): EventLoop {
  const tasks: (() => Promise<void>)[] = [];
  let isWoken = true;
  let rouse: (() => void) | undefined;

  function wake(): void {
    isWoken = true;
    rouse?.();
  }

  async function sleep(until: number | null): Promise<void> {
    await new Promise<void>((resolve) => {
      const left = until === null ? undefined : Math.min(Math.max(0, until - clock.now()), 2 ** 30);
      const timer = left === undefined ? undefined : setTimeout(resolve, left);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    rouse = undefined;
  }

  async function main(): Promise<void> {
    while (!signal.aborted) {
      isWoken = false;
      const task = tasks.shift();
      if (task) {
        await task();
        isWoken = true;
        continue;
      }
      let earliest: number | null = null;
      for (const part of parts) {
        const next = await part.step();
        if (signal.aborted) return;
        if (next === 'again') isWoken = true;
        else if (next !== null) earliest = earliest === null ? next : Math.min(earliest, next);
      }
      if (!isWoken && tasks.length === 0) await sleep(earliest);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const unsubscribe = clock.onMoved(wake);
  signal.addEventListener('abort', wake, { once: true });
  const done = main().finally(() => {
    unsubscribe();
    log.debug('driver stopped');
  });
  return {
    wake,
    run: (task) =>
      new Promise((resolve, reject) => {
        tasks.push(() => task().then(resolve, reject));
        wake();
      }),
    done,
  };
}
