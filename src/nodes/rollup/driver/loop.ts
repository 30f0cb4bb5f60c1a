import type { Clock } from '../../../system/clock.ts';
import type { Logger } from '../../../system/log.ts';

/**
 * When a part of the node's work wants its next step: `again` at once, a time of the network clock in milliseconds, or `null` after the next event.
 */
export type NextStep = 'again' | number | null;

/** One part of the node's work. Steps of all parts are serial, so that the engine has one caller; what waits for L1 or peers waits aside and wakes the loop. */
export interface Deriver {
  readonly name: string;
  step(): Promise<NextStep>;
}

export interface EventLoop {
  /** Something happened: every part is asked again. */
  wake(): void;
  /** Runs between two steps, alone, whatever the parts are doing. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Ends when `signal` aborts; rejects where a part throws, which parts do only for what cannot be mended. */
  readonly done: Promise<void>;
}

/** Runs the parts in their order until aborted; sleeps until the earliest wanted time or the next event. */
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
