import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';

/** An attempt after a failure, at a time of `elapsed()` of the clock. */
export interface Retry {
  readonly retryAt: number;
}

/**
 * Time of a deriver's next step: `again` for at once, milliseconds of the network clock, a retry, or `null` for the
 * next event.
 */
export type NextStep = 'again' | number | Retry | null;

/**
 * A unit of the driver's work (op-node: `Deriver`, kona: `NodeActor`).
 * Steps of all derivers are serial, so that the engine has one caller.
 * A wait for L1 or a peer runs as a background job and wakes the loop.
 */
export interface Deriver {
  readonly name: string;
  step(): Promise<NextStep>;
}

/** The running loop. */
export interface EventLoop {
  /** Runs a step of every deriver. */
  wake(): void;
  /** Runs a task alone, between two steps of the derivers. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Stops between two steps of the derivers. Resolves with a function that continues the loop. */
  hold(): Promise<() => void>;
  /**
   * Resolves after `signal` aborts. Rejects where a deriver throws: derivers throw unrecoverable failures only.
   */
  readonly done: Promise<void>;
}

/**
 * Runs the derivers in their order until aborted (op-node: `eventLoop`).
 * Sleeps until the earliest next step or an event.
 */
export function startEventLoop(parts: readonly Deriver[], clock: Clock, log: Logger, signal: AbortSignal): EventLoop {
  const tasks: (() => Promise<void>)[] = [];
  let isWoken = true;
  let rouse: (() => void) | undefined;
  const activity = clock.activity();
  activity.busy();

  function wake(): void {
    isWoken = true;
    rouse?.();
  }

  /** Sleeps until a wall time from now, or an event. A loop that waits for a retry is busy. */
  async function sleep(wallMs: number, isRetry: boolean): Promise<void> {
    if (!isRetry && wallMs > 0) activity.idle();
    await new Promise<void>((resolve) => {
      const timer = wallMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, Math.min(wallMs, 2 ** 30));
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    rouse = undefined;
    activity.busy();
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
      let wallMs = Number.POSITIVE_INFINITY;
      let isRetry = false;
      for (const part of parts) {
        const next = await part.step();
        if (signal.aborted) return;
        if (next === 'again') isWoken = true;
        else if (typeof next === 'number') wallMs = Math.min(wallMs, clock.wallUntil(next));
        else if (next !== null) {
          isRetry = true;
          wallMs = Math.min(wallMs, Math.max(0, next.retryAt - clock.elapsed()));
        }
      }
      if (!isWoken && tasks.length === 0) await sleep(wallMs, isRetry);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const unsubscribe = clock.onMoved(wake);
  signal.addEventListener('abort', wake, { once: true });
  const done = main().finally(() => {
    unsubscribe();
    log.debug('driver stopped');
  });
  const run = <Result>(task: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      tasks.push(() => task().then(resolve, reject));
      wake();
    });

  return {
    wake,
    run,
    async hold() {
      const stands = Promise.withResolvers<void>();
      const goesOn = Promise.withResolvers<void>();
      const held = run(() => {
        stands.resolve();
        return goesOn.promise;
      });
      held.catch(() => {});
      await stands.promise;
      return goesOn.resolve;
    },
    done,
  };
}
